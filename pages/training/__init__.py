"""Training: the combination of the switches is trained here and now, and its attention comes about."""

from pages.contract.view import Page
from pages.training import watching

PAGE = Page(
    question="How does attention come about?",
    views={"training": watching.VIEW},
)
