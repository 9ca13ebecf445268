"""The program of order invariance prints one word's weights in both orders, as the page shows them."""

import numpy as np
import pytest

from core.measures.order.verdicts import compare_orders
from core.model.config import ModelConfig
from core.programs import Subject, orders_program
from core.sources import load
from tests.programs import printed_matrix

FIRST = ("the", "oven", "cooked", "the", "bread", "so")
SECOND = ("so", "the", "bread", "cooked", "the", "oven")


@pytest.mark.parametrize(
    ("source", "fields"),
    [
        ("trained", {"positions": "none", "mask": "bidirectional"}),
        ("random", {"positions": "rotary", "mask": "causal", "n_layers": 1}),
    ],
)
def test_both_rows_are_those_of_the_page(source: str, fields: dict[str, object]) -> None:
    config = ModelConfig(vocab_size=1, **fields)
    subject = Subject(words=FIRST, config=config, source=source, layer=config.n_layers - 1, head=2)

    rows = printed_matrix(orders_program(subject, SECOND, 4), 6)

    shown = compare_orders(load(source, config, FIRST, 0), load(source, config, SECOND, 0))
    np.testing.assert_allclose(rows, [shown.first_weights[2, 4], shown.second_weights[2, 4]], atol=6e-4)
