"""Training: trains a model with the chosen switches, and shows how its attention develops."""

from pages.contract.view import Page
from pages.training import watching

PAGE = Page(
    question="How does attention come about?",
    views={"training": watching.VIEW},
)
