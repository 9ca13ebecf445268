"""Models: the real models that this server can read, what each of them is, and where others come from."""

from pages.models.listing import listing
from pages.shell import Page, View

PAGE = Page(
    question="Which real models can be read here?",
    views={"models": View(draw=listing)},
)
