"""The parameters of the home."""

from pages.contract.parameters.declared import spelt, text

HOME = (
    spelt("done", "The stops of the path that a learner has done, taken along from another browser."),
    spelt("guess", "The word that a visitor of the home expects next."),
    text("wanted", "Find a view", "What the views listed on the home are searched for.", default=""),
)
