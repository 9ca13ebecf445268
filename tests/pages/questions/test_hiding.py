"""What is asked and said of hidden words, on small made-up numbers and on the sheet."""

import numpy as np
import pytest

from pages.contract.predict import told_apart
from pages.contract.question import Choose, solution
from pages.explorer.hiding import Told, told_agreement
from pages.explorer.questions_of_hiding import word_that_matters
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import readable

PLACE, WHAT = "layer 1, head 2", "the prediction after *so*"


def told(weights: list[float], changes: list[float], unit: str = "word") -> str:
    names = told_apart(["tea", "was", "tea", "hot", "and", "good"][: len(weights)])
    return readable(told_agreement(Told(names, np.array(weights), np.array(changes), PLACE, WHAT, unit)))


def test_where_both_agree_the_word_is_named_once() -> None:
    assert told([0.1, 0.2, 0.6], [0.1, 0.3, 0.5]) == (
        "Of the other words, *tea (3)* has the largest weight in layer 1, head 2, 60 %, and hiding it also "
        "changes the prediction after *so* most, by 50 %."
    )


def test_where_they_differ_both_words_are_named_with_their_changes() -> None:
    assert told([0.6, 0.2, 0.1], [0.1, 0.3, 0.5], "piece") == (
        "Of the other pieces, *tea (1)* has the largest weight in layer 1, head 2, 60 %, but hiding *tea "
        "(3)* changes the prediction after *so* most, by 50 % against 10 %."
    )


def test_of_few_words_no_ranks_are_told() -> None:
    assert told([0.6, 0.2], [0.1, 0.3]).endswith("most, by 30 % against 10 %.")
    assert told([0.6, 0.2], [0.3, 0.1]).endswith("most, by 30 %.")
    assert "Spearman" not in told([0.1, 0.2, 0.3, 0.2, 0.1], [0.1, 0.2, 0.3, 0.25, 0.15])


def test_of_many_words_the_correlation_of_the_ranks_is_told() -> None:
    rising = [0.05, 0.1, 0.15, 0.2, 0.22, 0.28]
    ranks = "; over 6 words, Spearman's rank correlation of weight and change is"
    assert told(rising, rising).endswith(f"{ranks} 1.00.")
    assert told(rising, rising[::-1]).endswith(f"{ranks} −1.00.")
    assert told([0.1] * 6, rising).endswith("most, by 28 %.")


@pytest.mark.parametrize(("place", "is_told"), [(5, False), (8, True)])
def test_the_mean_weights_rank_no_fewer_words(place: int, is_told: bool) -> None:
    session = Asked("explorer", view="hiding", place=place)
    assert session.warnings == []
    assert ("rank correlation" in session.prose) == is_told


def test_one_other_word_is_compared_with_none() -> None:
    assert told([0.3], [0.25]) == (
        "*tea* is the only other word: its weight in layer 1, head 2 is 30 %, and hiding it changes the "
        "prediction after *so* by 25 %."
    )
    assert told([], []) == (
        "No other word may be attended to, so none can be hidden to change the prediction after *so*."
    )


def test_where_nothing_changes_no_word_changes_most() -> None:
    assert told([0.6, 0.2, 0.1], [0, 0, 0]).endswith(
        "60 %, but hiding any of them leaves the prediction after *so* as it is."
    )


def asked_for(weights: list[float], changes: list[float]) -> Choose | None:
    names = told_apart(["tea", "was", "so", "hot", "that"])[: len(weights)]
    return word_that_matters(WHAT, names, weights, changes, place=PLACE)


def test_the_word_with_the_largest_weight_is_offered_and_resolved() -> None:
    question = asked_for([0.5, 0.2, 0.1, 0.1, 0.1], [0.01, 0.2, 0.3, 0.6, 0.1])
    assert question is not None
    assert solution(question) == "*hot*"
    assert {one.text: bool(one.why_not) for one in question.options} == {
        "*tea*": True,
        "*was*": False,
        "*so*": False,
        "*hot*": False,
    }
    assert "60 % of the probability" in question.because
    assert "is 10 %" in question.because


def test_where_the_largest_weight_is_right_nothing_is_resolved() -> None:
    question = asked_for([0.1, 0.2, 0.6], [0.1, 0.2, 0.6])
    assert question is not None
    assert solution(question) == "*so*"
    assert not any(one.why_not for one in question.options)


@each(("weights", "changes"), [([], []), ([1.0], [0.3]), ([0.1, 0.2], [0.3, 0.3]), ([0.2, 0.1], [0, 0])])
def test_where_nothing_stands_out_nothing_is_asked(weights: list[float], changes: list[float]) -> None:
    assert asked_for(weights, changes) is None


@pytest.mark.parametrize("asked", [{}, {"head": 1, "layer": 2, "norm": "post"}, {"mask": "bidirectional"}])
def test_the_right_word_is_that_with_the_tallest_bar_below(asked: dict[str, object]) -> None:
    page = Asked("explorer", view="hiding", **asked)
    table = page.table("hiding")
    matters = page.questions[0]
    assert isinstance(matters, Choose)
    assert readable(solution(matters)) == f"*{table['change if hidden'].idxmax()}*"


def test_random_weights_predict_nothing_that_could_change() -> None:
    page = Asked("explorer", view="hiding", model="random")
    assert "have learned nothing" in page.prose


def test_the_weights_are_those_of_the_chosen_head_in_the_matrix() -> None:
    chosen = {"layer": 2, "head": 2}
    shown = Asked("explorer", view="hiding", **chosen).table("hiding").iloc[:, 0]
    assert shown.name == "layer 2, head 2"
    expected = Asked("explorer", view="matrix", **chosen).matrix("matrix")[-1]
    assert shown.to_numpy() == pytest.approx(expected, abs=1e-6)
