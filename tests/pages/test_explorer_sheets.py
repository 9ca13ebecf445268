"""The sentences of the explorer, on small made-up numbers, and what its clicks change."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.measures.heads.standing_out import StandingOut
from core.measures.reading import OneHead
from pages.contract.look import Look
from pages.controls.prose import Typed
from pages.explorer import lines, stages
from pages.explorer.all_heads import LEFT_ASIDE, told_standing_out
from pages.explorer.cell import Selection, opens
from pages.explorer.compare import told_change
from pages.explorer.shown import HEAD, MEAN, ROLLOUT, Kind, Weights, told_largest, told_weights
from pages.explorer.silenced import knocks_out_or_puts_back, without
from pages.explorer.similarity import columns_in, told_closest, with_words
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import readable

NAMES = tuple(map(Typed, ("tea", "so", "tea")))
TITLES: dict[Kind, str] = {
    HEAD: "Layer 1 · head 2",
    MEAN: "Layer 2 · mean over 4 heads",
    ROLLOUT: "Rollout over layers 1 to 2",
}
CAUSAL = np.tri(3, dtype=bool)
PATTERN = np.array([[1, 0, 0], [0.25, 0.75, 0], [0.1, 0.5, 0.4]])


def told(pattern: np.ndarray, allowed: np.ndarray, kind: Kind = HEAD, unit: str = "word") -> str:
    shown = Weights(kind, TITLES[kind], pattern)
    return readable(told_largest(shown, NAMES[: len(pattern)], allowed, unit=unit))


@each(
    ("pattern", "kind", "said"),
    [
        (PATTERN, HEAD, "In layer 1, head 2, *so* gives 75 % of its attention to itself, the largest weight "
         "where there is a choice."),
        (PATTERN * 0.5 + np.diag([0, -0.375, 0]) + [[0] * 3, [0] * 3, [0, 0.5, 0]], HEAD,
         "In layer 1, head 2, *tea (3)* gives 75 % of its attention to *so*, the largest weight where"),
        (PATTERN, MEAN, "In layer 2, mean over 4 heads, *so* gives 75 % of its attention to itself"),
        (PATTERN, ROLLOUT, "By rollout over layers 1 to 2, 50 % of the state of *tea (3)* comes from *so*, "
         "the largest share of another word."),
    ],
)  # fmt: skip
def test_the_word_that_attends_most_is_named_with_its_share(
    pattern: np.ndarray, kind: Kind, said: str
) -> None:
    assert told(pattern, CAUSAL, kind).startswith(said)


def test_where_every_query_has_a_choice_the_weight_is_the_largest_of_all() -> None:
    assert told(PATTERN, np.ones((3, 3), dtype=bool)) == (
        "In layer 1, head 2, *tea (1)* gives 100 % of its attention to itself, the largest weight."
    )


@pytest.mark.parametrize("unit", ["word", "piece"])
def test_of_a_single_word_it_is_said_to_be_the_only_one(unit: str) -> None:
    one = np.ones((1, 1))
    assert told(one, one > 0, unit=unit) == (
        f"In layer 1, head 2, *tea* gives 100 % of its attention to itself, the only {unit} shown."
    )
    assert told(one, one > 0, ROLLOUT, unit) == (
        f"The state of *tea* comes from itself, the only {unit} shown."
    )


def test_a_head_that_hides_special_tokens_may_give_its_only_word_less_than_all() -> None:
    assert "gives 40 % of its attention to itself, the only" in told(np.array([[0.4]]), np.ones((1, 1)) > 0)


def test_the_stages_name_the_score_behind_the_largest_weight() -> None:
    scores, none = np.array([[0.0, 9, 9], [1.5, 2.25, 9], [-9, -1.75, -2]]), np.zeros((3, 2))
    pattern = np.array([[1, 0, 0], [0.25, 0.75, 0], [0.1, 0.8, 0.1]])
    head = OneHead(none, none, none, 1.0, scores * 0, scores, CAUSAL, pattern, none)
    said = stages._answer(head, TITLES[HEAD], NAMES)
    assert said.endswith("where there is a choice: its score, −1.75, is the largest allowed in the row.")


def change(a: float, b: float, n: int = 2) -> str:
    row = {"query": "so", "key": "tea (1)", "A": a, "B": b, "change": b - a}
    others = [{**row, "key": "so", "A": 0, "B": 0, "change": 0}] * (n - 1)
    return readable(told_change(pd.DataFrame([row, *others]), "layer 1, head 2"))


@each(
    ("a", "b", "said"),
    [
        (0.2, 0.9, "from A to B: it goes from 0.200 to 0.900."),
        (0.9, 0.2, "from A to B: it goes from 0.900 to 0.200."),
        (0.5, 0.5002, "from A to B: it rises by 2·10⁻⁴."),
        (0.5002, 0.5, "from A to B: it falls by 2·10⁻⁴."),
    ],
)
def test_the_largest_change_is_told_as_far_as_its_digits_show_it(a: float, b: float, said: str) -> None:
    where = "In layer 1, head 2, the weight with which"
    assert change(a, b) == f"{where} *so* attends to *tea (1)* changes most {said}"


@each(
    ("a", "b", "said"),
    [
        (0.2, 0.9, "the weight with which *so* attends to *tea (1)* is 0.200 in A and 0.900 in B."),
        (0.5, 0.5002, "the weight with which *so* attends to *tea (1)* rises by 2·10⁻⁴ from A to B."),
        (0.5, 0.5, "A and B have the same weight with which *so* attends to *tea (1)*: 0.500."),
    ],
)
def test_a_selected_weight_is_told_in_both_models(a: float, b: float, said: str) -> None:
    assert change(a, b, n=1) == f"In layer 1, head 2, {said}"


@each(
    ("selected", "kind", "said"),
    [
        (Selection(2, 1), HEAD, "In layer 1, head 2, *tea (3)* gives 50 % of its attention to *so*."),
        (
            Selection(2, 2),
            MEAN,
            "In layer 2, mean over 4 heads, *tea (3)* gives 40 % of its attention to itself.",
        ),
        (
            Selection(1, 2),
            HEAD,
            "In layer 1, head 2, *so* may not attend to *tea (3)*: that weight is masked",
        ),
        (Selection(2), HEAD, "*tea (3)* gives 50 % of its attention to *so*, more than to any other word."),
        (Selection(0), HEAD, "In layer 1, head 2, *tea (1)* gives 100 % of its attention to itself."),
        (
            Selection(None, 1),
            HEAD,
            "*so* gives 75 % of its attention to itself, more than any other word gives it.",
        ),
        (
            Selection(2, 1),
            ROLLOUT,
            "By rollout over layers 1 to 2, 50 % of the state of *tea (3)* comes from *so*.",
        ),
        (
            Selection(0, 1),
            ROLLOUT,
            "By rollout over layers 1 to 2, nothing of the state of *tea (1)* comes from",
        ),
    ],
)
def test_the_selected_weight_is_told(selected: Selection, kind: Kind, said: str) -> None:
    shown = Weights(kind, TITLES[kind], PATTERN)
    assert said in readable(told_weights(shown, NAMES, CAUSAL, selected))


def test_equal_weights_are_not_said_to_be_more_than_each_other() -> None:
    shown = Weights(HEAD, TITLES[HEAD], np.array([[0.5, 0.5, 0], [0.5, 0.5, 0], [0.4, 0.4, 0.2]]))
    for selected in (Selection(2), Selection(None, 1)):
        assert "more than" not in told_weights(shown, NAMES, np.ones((3, 3), dtype=bool), selected)


def test_a_click_on_a_word_of_the_lines_selects_it_and_a_second_one_nothing() -> None:
    assert lines.keep({"side": "query", "place": 2}) == {"query": 3, "key": None}
    assert lines.keep({"side": "key", "place": 0}) == {"query": None, "key": 1}
    assert lines.keep({"side": "none", "place": 0}) == {"query": None, "key": None}
    asked = Asked("explorer", view="lines", query=9, head=2)
    assert asked.drawing("lines")["chosen"] == ["query", 8]
    assert "*praised* gives 87 % of its attention to *Maria*" in readable(str(asked.sheet.answer))
    asked.change(lines.keep({"side": "none", "place": 0}))
    assert asked.drawing("lines")["chosen"] is None


ALIKE = "In layer 1, head 3, A and B attend alike: no weight"


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ({}, f"{ALIKE} differs in this layer."),
        ({"b_layers": 1, "layer": 1}, f"{ALIKE} differs in this layer."),
        ({"query": 2}, f"{ALIKE} of *met* differs."),
        ({"key": 2}, f"{ALIKE} given to *met* differs."),
    ],
)
def test_models_that_attend_alike_are_said_to(link: dict[str, Any], said: str) -> None:
    asked = Asked("explorer", view="compare", b_positions="as A", **link)
    assert readable(str(asked.sheet.answer)) == said
    assert "Largest changes" not in asked.prose
    assert asked.warnings == []


def test_models_that_differ_have_a_table_of_the_largest_changes() -> None:
    assert "Largest changes" in Asked("explorer", view="compare").prose


def test_the_head_that_stands_out_is_named_or_that_none_does() -> None:
    top = StandingOut(1, 2, 0.875)
    assert told_standing_out(top, top, 0.2, has_special=False) == (
        "Layer 2 · head 3 stands out: its largest weights, one for each row, have a mean of 0.88, and equal "
        "weights would give 0.20"
    )
    none = told_standing_out(None, top, 0.2, has_special=True)
    assert none.startswith("No head stands out")
    assert none.endswith(f"at most 0.88, and equal weights would give 0.20{LEFT_ASIDE}")


@pytest.mark.parametrize(
    ("others", "said"), [(("a", "b"), "2 sentences is *b*"), (("a",), "1 sentence is *a*")]
)
def test_the_closest_sentence_is_named_with_its_cosine(others: tuple[str, ...], said: str) -> None:
    cosines = np.array([0.25, 0.5])[: len(others)]
    assert readable(told_closest(others, cosines, "MiniLM")) == (
        f"For MiniLM, the most similar of {said}, with a cosine of {cosines.max():.2f}."
    )


def test_on_a_telephone_the_cosines_stand_in_its_width() -> None:
    assert sum(column.width or 0 for column in columns_in(Look(page=350, width=350)).values()) < 350


def test_lines_without_words_are_left_out() -> None:
    assert with_words(f" one two \n\n   \n{'word ' * 257}\nthree") == ("one two", "three")


def test_a_click_opens_a_cell_and_asks_for_the_prediction_of_its_query_where_there_is_one() -> None:
    point = {"x": 1, "y": 4, "data": None}
    assert opens(predicts=False)([point], {}) == {"query": 5, "key": 2}
    assert opens(predicts=True, view="matrix", show=None)([point], {}) == {
        "query": 5, "key": 2, "place": 5, "view": "matrix", "show": None,
    }  # fmt: skip
    block = {"x": 1, "y": 4, "data": "7,3"}
    assert opens(predicts=False)([block], {}) == {"query": 8, "key": 4}


def test_a_click_knocks_a_head_out_or_puts_it_back() -> None:
    assert knocks_out_or_puts_back(["2.3"])([{"data": [1, 2]}], {}) == {"silenced": ["1.2", "2.3"]}
    assert knocks_out_or_puts_back(["2.3"])([{"data": [2, 3]}], {}) == {"silenced": []}
    assert without({"1.2": (0, 1), "2.3": (1, 2)}) == "without 1.2, 2.3"
    assert without({}) == ""
