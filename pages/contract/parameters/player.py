"""The parameters of what is played in a lecture."""

from pages.contract.parameters.declared import spelt

PLAYER = (
    spelt("cover", "Whether what a view has found is covered until it is revealed: 1 if it is."),
    spelt("presenter", "Whether the window of the presenter is shown, with the notes: 1 if it is."),
)
