"""What one expects of a head is asked with the right answer, and not at all where nobody could tell."""

import numpy as np
import pytest

from pages.contract.question import Question, Sketch, solution, texts
from pages.controls.prose import Typed
from pages.step_by_step.questions import best_key, cold, hot, itself, mixed, most_asking, row, scores, tied
from tests.pages.asked import Asked

NAMES = tuple(map(Typed, ("tea", "his", "tea")))
WEIGHTS = np.array([[1.0, np.nan, np.nan], [0.25, 0.75, np.nan], [0.5, 0.4, 0.1]])
CAUSAL = np.tri(3, dtype=bool)


def said(question: Question | None) -> str:
    assert question is not None
    return " ".join(texts(question))


def test_the_word_that_asks_another_most_is_chosen_whatever_it_gives_itself() -> None:
    assert most_asking(WEIGHTS) == 2
    assert most_asking(np.array([[1.0]])) == 0


@pytest.mark.parametrize(
    ("shares", "because"),
    [
        ([0.2, 0.7, 0.1], "The key of *his* matches the query best: 70 %."),
        ([0.45, 0.45, 0.1], "2 keys match the query best, 45 % each."),
        ([1 / 3] * 3, "All keys match the query equally well, so each has the same weight."),
    ],
)
def test_a_row_says_which_keys_match_best(shares: list[float], because: str) -> None:
    asked = row(2, np.array([*WEIGHTS[:2], shares]), CAUSAL, NAMES, "word")
    assert isinstance(asked, Sketch)
    assert asked.because == because
    assert asked.right == pytest.approx(shares)
    assert row(0, WEIGHTS, CAUSAL, NAMES, "word") is None


def test_scores_are_one_for_each_query_and_key() -> None:
    asked = scores(5, "piece")
    assert asked is not None
    assert solution(asked) == "25 scores"
    assert [value for value, _ in asked.mistaken] == [5, 10, 20]
    assert "5 pieces" in asked.text
    assert scores(2, "word") is None


def test_the_best_key_is_told_from_an_equal_word_and_a_tie_is_not_asked() -> None:
    assert solution(said_of := best_key(1, np.array([0.2, 0.1, 0.7]), NAMES)) == "*3 tea*"  # type: ignore[arg-type]
    assert "*his* asks" in said(said_of)
    assert best_key(1, np.array([0.45, 0.1, 0.45]), NAMES) is None
    assert best_key(1, np.array([0.0, 1.0, 0.0]), NAMES) is None
    assert cold(2) is None


def test_without_matrices_the_first_row_without_a_tie_is_asked_for() -> None:
    pattern = np.array([[0.4, 0.2, 0.4], [0.1, 0.8, 0.1], [0.4, 0.2, 0.4]])
    asked = itself(pattern, NAMES)
    assert asked is not None
    assert "does *his* attend" in asked.text
    assert solution(asked) == "*2 his*"
    assert itself(np.full((2, 2), 0.5), NAMES[:2]) is None


def test_what_is_not_zero_is_not_called_zero() -> None:
    assert solution(tied(1e-7)) == "0.00"
    assert solution(tied(0.25)) == "0.25"
    assert [solution(one) for one in (mixed(), hot(), cold(1))] == [  # type: ignore[arg-type]
        *("the values", "the mean of all values in sight", "the value of the best key"),
    ]


@pytest.mark.parametrize(
    "switches", [{}, {"model": "trained", "mask": "bidirectional"}, {"text": "the keys are"}]
)
def test_the_row_that_is_drawn_is_that_of_the_weights(switches: dict[str, str]) -> None:
    asked = Asked("step-by-step", view="one head", stage="softmax", **switches)
    (drawn,) = [one for one in asked.questions if isinstance(one, Sketch)]
    table = asked.table("steps").to_numpy()
    assert any(
        len(drawn.right) == (seen := ~np.isnan(one) & (one != 0)).sum()
        and np.allclose(one[seen], drawn.right, atol=1e-6)
        for one in table
    )


def test_scores_are_asked_of_the_head_with_one_matrix_and_a_look_up_of_the_chosen_word() -> None:
    tied_scores = Asked("step-by-step", view="Q = K", model="random").questions[-1]
    assert solution(tied_scores) == "0.00"
    asked = Asked("step-by-step", view="soft lookup", word=2)
    best = next(one for one in asked.questions if "asks the store" in one.text)
    assert "*made* asks" in best.text
    assert solution(best) == "*1 Zuko*"
