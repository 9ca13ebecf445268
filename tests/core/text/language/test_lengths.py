"""The probability that a phrase has exactly n words, against counts by hand."""

import pytest

from core.text.language.grammar import GRAMMAR
from core.text.language.lengths import rule_totals


def likelihood(symbol: str, length: int) -> float:
    return rule_totals(symbol, length)[-1] / GRAMMAR[symbol].totals[-1]


def test_short_phrases_are_as_likely_as_their_weights_say() -> None:
    # "": 3; upstairs: 1; at home: 1 and who smiles: 1; of 23
    assert [likelihood("who", length) for length in range(3)] == pytest.approx([3 / 23, 1 / 23, 2 / 23])
    # near_table is always three words, and of what follows a thing nothing else is: 4 of 17
    assert likelihood("near_table", 3) == 1
    assert likelihood("that", 3) == pytest.approx(4 / 17)


def test_a_phrase_is_sure_to_have_some_length() -> None:
    assert sum(likelihood("that", length) for length in range(150)) == pytest.approx(1, abs=1e-4)
