"""A count of one is told in the singular; `Asked` looks for the plural after every run of every page."""

import pytest

from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import plurals_of_one

OF_ONE_WORD = [
    ("architectures", "encoder or decoder", {"heads": 1}),
    ("architectures", "encoder–decoder", {"heads": 1}),
    ("architectures", "recurrent", {}),
    ("architectures", "recurrent", {"network": "LSTM"}),
    ("blocks", "layer norm", {}),
    ("generation", "memory", {}),
    ("generation", "memory", {"cost": "serial operations"}),
    ("generation", "side by side", {}),
    ("gradients", "gates", {}),
    ("positions", "alibi", {"heads": 1}),
]
"""Views that said it otherwise, each with what is 1 beside the word."""


@pytest.mark.parametrize(("address", "view", "switches"), OF_ONE_WORD)
def test_a_sentence_of_one_word_is_told_in_the_singular(
    address: str, view: str, switches: dict[str, object]
) -> None:
    assert Asked(address, view=view, text="key", **switches).pictures != []


@each(
    ("text", "is_wrong"),
    [
        ("64 numbers for each of 1 positions.", True),
        ("for the **1** words so far", True),
        ("n = 1 words; 1 heads of 48", True),
        ("1 other words", True),
        ("attention over 1 word", False),
        ("of layer 1 states", False),
        ("in 2.1 words, 11 words, 4 × 1 rows", False),
    ],
)
def test_a_plural_of_one_is_found(text: str, is_wrong: bool) -> None:
    assert bool(plurals_of_one(text)) == is_wrong
