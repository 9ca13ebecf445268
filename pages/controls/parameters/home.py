"""The parameters of the home."""

from pages.controls.parameters.declared import spelt, text

HOME = (
    spelt("guess", "The word that a visitor of the home expects next."),
    text("wanted", "Find a view", "What the views listed on the home are searched for.", default=""),
)
