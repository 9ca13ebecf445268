"""The one view of the page Models."""

from pages.models_views.listing import listing
from pages.shell import Page, View

PAGE = Page(
    question="Which real models can be read here?",
    views={"models": View(draw=listing)},
)
