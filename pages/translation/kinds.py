"""The three kinds of attention of an encoder–decoder."""

from pages.contract.parameters import options_of
from viz.matrices import CROSS_ROLES, ROLES

CROSS, ENCODER, DECODER = options_of("kind")
ROWS = {
    CROSS: "A row is the step that writes this word. The decoder has then read the start symbol and "
    "all words before this one.",
    ENCODER: "Self-attention of the encoder: every word of the source attends to all words of the source.",
    DECODER: "Self-attention of the decoder: a row is a word that it has read, beginning with the start "
    "symbol. The word attends to the words before it and to itself.",
}
"""Meaning of a row, the same on every page."""


PARTS = {CROSS: "cross", ENCODER: "encoder", DECODER: "decoder"}
"""The weights of each kind among the results of a measure."""


def heading_of(kind: str) -> str:
    """Return the name of weights of a kind of attention in a title."""
    return "Cross-attention weights" if kind == CROSS else f"Self-attention weights of the {kind}"


def roles_of(kind: str) -> tuple[str, str]:
    """Return the titles of the two sides of a matrix of weights."""
    return CROSS_ROLES if kind == CROSS else ROLES
