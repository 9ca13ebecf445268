"""Scaling: every sentence at each of its branches, said of small made-up numbers."""

import pandas as pd
import pytest

from core.measures.scaling import BY_ROOT_D, BY_ROOT_D_HEAD, PLAIN
from pages.scaling import heads, random_vectors, softmax

TABLE = pd.DataFrame(
    [
        *((1, PLAIN, 8.0), (1, BY_ROOT_D, 1.25), (1, BY_ROOT_D_HEAD, 1.25)),
        *((4, PLAIN, 6.0), (4, BY_ROOT_D, 0.75), (4, BY_ROOT_D_HEAD, 1.5)),
    ],
    columns=["heads", "scores", "spread"],
)


def test_the_spread_of_random_scores_is_said_with_its_root() -> None:
    assert random_vectors._answer(64, 7.914, 0.989) == (
        "At d = 64 the scores of random vectors have a standard deviation of 7.91; divided by √64 = 8.00 it "
        "is 0.99."
    )
    assert random_vectors._largest([0.5, 0.25]) == "Largest attention weight: 50 % (q·k), 25 % (q·k / √d)."
    assert "**tea** attends to, with random vectors of 16 dim" in random_vectors._of_row("tea", 16)


@pytest.mark.parametrize(
    ("plain", "divided", "said"), [(0.125, 0.25, softmax.TAKEN), (0.25, 0.125, softmax.NOT_YET)]
)
def test_the_gradient_is_said_to_be_lost_only_where_it_is(plain: float, divided: float, said: str) -> None:
    rows = {"largest": 0.75, "gradient": plain}, {"largest": 0.5, "gradient": divided}
    assert softmax._answer(16, *rows) == (
        "At d = 16 the largest attention weight is 75 % without the division and 50 % with it; the gradient "
        f"norm is {plain:.3f} and {divided:.3f}."
    )
    assert softmax._explanation(*rows).endswith(f" by all its scores. {said}")


def test_the_spreads_of_a_model_are_said_by_their_divisions() -> None:
    assert heads._answer({PLAIN: 6, BY_ROOT_D: 0.75}, 4, 1) == (
        "With 4 heads the scores of layer 2 have a standard deviation within rows of 6.00 for q·k, 0.75 for "
        "q·k / √d."
    )
    assert heads._answer({PLAIN: 6}, 1, 0).startswith("With 1 head the")


@pytest.mark.parametrize(("trained", "whose"), [(True, "learned"), (False, "these")])
def test_the_wrong_root_is_too_large_by_that_of_the_heads(trained: bool, whose: str) -> None:
    assert heads._explanation(TABLE, 4, trained=trained) == (
        "Each head sums only d/k products, so **√d divides by √4 = 2.00 times too much**. From 1 head to 4, "
        "q·k / √d goes from 1.25 to 0.75, and q·k / √(d/k) from 1.25 to 1.50. None of them must be 1: "
        f"{whose} queries and keys have a standard deviation of their own."
    )


def test_one_model_alone_has_no_trend() -> None:
    assert "too much**. None of them" in heads._explanation(TABLE[TABLE["heads"] == 4], 4, trained=True)


def test_with_one_head_both_roots_are_one() -> None:
    assert heads._explanation(TABLE, 1, trained=True) == "Both roots are the same, because d/k is d."
