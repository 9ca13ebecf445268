"""Kinds of heads: a head has a name if more than half of its attention goes to the positions of the kind."""

import pandas as pd

from core.measures.heads.scores import FOCUS, INDUCTION, SPECIAL, kinds_of_heads


def scores_of(*rows: tuple[int, int, str, float], baseline: float = 0.1) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["layer", "head", "score", "value"]).assign(baseline=baseline)


def test_a_head_is_of_each_kind_that_gets_more_than_half_of_its_attention() -> None:
    found = kinds_of_heads(
        scores_of(
            (1, 1, "previous word", 0.51),
            (1, 2, "previous word", 0.5),
            (1, 2, "next word", 0.49),
            (2, 1, "first word", 0.7),
            (2, 1, INDUCTION, 0.9),
            (2, 2, SPECIAL, 0.6),
            (3, 1, FOCUS, 0.9),  # no share of attention
            (3, 2, "subject", 0.9),  # no known place
        )
    )
    assert found == {(1, 1): ("previous word",), (2, 1): (INDUCTION, "first word"), (2, 2): (SPECIAL,)}


def test_half_of_the_attention_is_no_kind_where_equal_weights_give_as_much() -> None:
    assert kinds_of_heads(scores_of((1, 1, "previous word", 0.55), baseline=0.5)) == {}
    assert kinds_of_heads(scores_of((1, 1, "previous word", 0.7), baseline=0.5)) == {
        (1, 1): ("previous word",)
    }
