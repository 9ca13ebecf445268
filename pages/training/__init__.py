"""Training: the combination of the switches is trained here and now, and its attention comes about."""

from pages.shell import Page
from pages.training import watching

PAGE = Page(
    question="How does attention come about?",
    views={"training": watching.VIEW},
)
