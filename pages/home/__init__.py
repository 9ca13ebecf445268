"""The home: what attention is."""

from pages.home.first import VIEW
from pages.shell import Page

PAGE = Page(question="What is attention?", views={"home": VIEW})
