"""Notes agree with views at other settings that a lecturer tries; entries state no measured number.

`test_shipped.py` tests the statements of a step about its view.
"""

import pytest

from core.learning.checkpoints import build
from core.model.config import ModelConfig
from pages.terms import TERMS
from tests.covering import each
from tests.pages.stated import Number, numbers, quoted, unsupported


def test_a_feed_forward_layer_has_two_thirds_of_the_parameters_of_a_block() -> None:
    model = build(ModelConfig(vocab_size=2, d_model=48, n_layers=1))
    sizes = {name: part.numel() for name, part in model.named_parameters() if name.startswith("blocks.0")}
    share = sum(n for name, n in sizes.items() if ".mlp." in name) / sum(sizes.values())
    assert share == pytest.approx(2 / 3, abs=0.01)


BY_DEFINITION = {
    "confidence": "95 of 100 is what the number means",
    "total variation": "100 % is the largest there can be",
    "floating-point number": "the bits of each format",
}
"""Entries with numbers that need no measurement."""


def test_no_entry_has_a_measured_number() -> None:
    assert {term.name for term in TERMS.values() if [*numbers(term.sentence)]} == set(BY_DEFINITION)


@each(
    ("text", "sheet", "missing"),
    [
        ("It falls from 48 % to 2 %.", "48.3 % at first, then 2 %", []),
        ("It falls to 49 %.", "48.3 % at first", ["49 %"]),
        ("It has 49.", "49 %", ["49"]),
        ("A loss of 7.12 nats, or 2 bits.", "7.1 nats, 2 nats", ["2 bits"]),
        ("Times 1.04 and 0.2.", "1.041, 0.24", []),
        ("Equations 30 and 31, Figure 4, of 2017, GPT-2, between 0 and 1", "", []),
        ("Eight heads and six blocks", "8 heads", ["6"]),
        ("A word “was”, and *is*", "was", ["is"]),
        ("“is it so?” It wasn’t “so”.", "soon", ["so"]),
    ],
)
def test_statements_that_a_sheet_does_not_confirm_are_found(
    text: str, sheet: str, missing: list[str]
) -> None:
    assert unsupported(text, sheet) == missing


def test_formulas_are_no_quotations_and_numbers_agree_within_their_last_digit() -> None:
    assert list(quoted("“h = tanh(W h)” and *d*, “x₁”, *layer 1*")) == ["layer 1"]
    assert Number(0.9, 0.05).agrees(Number(0.931, 0.0005))
    assert not Number(0.90, 0.005).agrees(Number(0.931, 0.0005))
