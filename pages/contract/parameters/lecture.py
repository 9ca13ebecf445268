"""The parameters of the page of lectures."""

from pages.contract.parameters.declared import spelt

LECTURE = (
    spelt("deck", "The lecture that is given: the name of one that is ready, or one that the link holds."),
)
