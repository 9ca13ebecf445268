"""Scaling: what the views show is what core computes, and every verdict and question has both branches."""

from typing import Any

import numpy as np
import pandas as pd

from core.measures import scaling
from core.measures.heads.several import with_each
from core.measures.scaling import BY_ROOT_D, BY_ROOT_D_HEAD, PLAIN
from core.model.config import ModelConfig
from core.sources import load
from pages.contract.examples import TEA
from pages.contract.prose import Typed
from pages.contract.question import Choose, solution
from pages.scaling import heads, long_vectors
from pages.scaling.long_vectors import ENTROPY, GRADIENT, SPREAD
from tests.covering import each
from tests.pages.asked import Asked, mistaken
from tests.pages.session import computed

PAGE = "scaling"

TABLE = pd.DataFrame(
    [
        *((1, PLAIN, 8.0), (1, BY_ROOT_D, 1.25), (1, BY_ROOT_D_HEAD, 1.25)),
        *((4, PLAIN, 6.0), (4, BY_ROOT_D, 0.75), (4, BY_ROOT_D_HEAD, 1.5)),
    ],
    columns=["heads", "scores", "spread"],
)


@each(("shown", "column"), [(SPREAD, "spread"), (ENTROPY, "entropy"), (GRADIENT, "gradient")])
def test_the_curves_are_those_measured(shown: str, column: str) -> None:
    session = Asked(PAGE, seed=3, curve=shown, d=16)
    table = scaling.growth_table(3).pivot(index="dimensions", columns="scores", values=column)
    for name in (PLAIN, BY_ROOT_D):
        np.testing.assert_allclose(session.curve("growth", name)["y"], table[name])
    if shown == SPREAD:
        np.testing.assert_allclose(session.curve("growth", "√d")["y"], np.sqrt(table.index))
    said, digits = str(session.sheet.answer), 3 if shown == GRADIENT else 2
    assert all(f"{table.loc[16, name]:.{digits}f}" in said for name in (PLAIN, BY_ROOT_D))
    assert list(session.table("growth").index) == list(scaling.WIDTHS)
    assert "d = 16" in str(session.figure("growth")["layout"]["annotations"])
    assert len(session.questions) <= 2


def test_the_third_row_is_the_head_itself_and_the_curves_its_layer() -> None:
    chosen = {"heads": 8, "layer": 2, "head": 7, "word": 3, "mask": "bidirectional"}
    session = Asked(PAGE, view="heads", model="random", **chosen)
    expected = scaling.head_rows(computed(TEA, source="random", n_heads=8, mask="bidirectional"), 1, 6, 2)
    np.testing.assert_allclose(session.table("head_row").T, expected, atol=1e-6)
    config = ModelConfig(vocab_size=1, mask="bidirectional")
    table = scaling.heads_table(
        [load("random", one, TEA.split(), 0) for one in with_each(config).values()], layer=1
    )
    for name in scaling.divisors(config):
        expected = table[table["scores"] == name]["spread"]
        np.testing.assert_allclose(session.curve("head_spread", name)["y"], expected, rtol=1e-5)


@each(
    ("told", "said"),
    [
        (
            heads.why(TABLE, 4),
            "From 1 head to 4, q·k / √d goes from 1.25 to 0.75, and q·k / √(d/k) goes from",
        ),
        (heads.why(TABLE[TABLE["heads"] == 4], 4), "√4 = 2.00 times too much**. The standard deviation need"),
        (heads.why(TABLE, 1), "With one head both roots are the same"),
        (
            heads.headline({}, Typed("tea"), layer=1, head=2),
            "The bars show the row of *tea* in head 2 of layer 1.",
        ),
    ],
)
def test_a_sentence_is_that_of_its_numbers(told: str, said: str) -> None:
    assert said in told


@each(
    ("asked", "right"),
    [
        (long_vectors.spread_of_dot_products(64, 7.9), "8.00"),
        (long_vectors.equal_scores(16), "6.25 %"),
        (long_vectors.why_divide(64, 7.9, 0.99), "to keep their standard deviation the same at every d"),
        (long_vectors.larger_gradient(8, 0.165, 0.304), "q·k / √d"),
        (long_vectors.larger_gradient(8, 0.4, 0.3), "q·k"),
        (long_vectors.larger_gradient(8, 0.304, 0.3), None),
        (heads.root_of_a_head(4, 48), "√12 = 3.46"),
        (heads.root_of_a_head(1, 48), None),
        (heads.spreads_in_order({"q·k": 8.0, "by d": 1.0, "by d/k": 2.0}), "q·k, by d/k, by d"),
        (heads.spreads_in_order({"q·k": 8.0, "by d": 1.0, "by d/k": 1.0}), None),
        (heads.spreads_in_order({}), None),
    ],
)
def test_a_question_is_asked_only_if_it_has_one_answer(asked: Any, right: str | None) -> None:
    assert (asked and solution(asked)) == right


def test_mistakes_differ_from_the_answer_and_from_each_other() -> None:
    assert mistaken(long_vectors.spread_of_dot_products(64, 7.9)) == [64, 1]
    assert mistaken(long_vectors.spread_of_dot_products(1, 1.1)) == [], "the root of 1 is 1"
    asked = heads.root_of_a_head(8, 64)
    assert isinstance(asked, Choose)
    assert [one.text[:2] for one in asked.options].count("√8") == 1
