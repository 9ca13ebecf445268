"""The home: what attention is."""

from pages.contract.view import Page
from pages.home.landing import home

PAGE = Page(question="What is attention?", views={"home": home})
