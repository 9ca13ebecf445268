"""The home: what attention is."""

from pages.home.first import home
from pages.shell import Page

PAGE = Page(question="What is attention?", views={"home": home})
