"""What one expects of a head is asked with the right answer, and not at all where nobody could tell."""

import numpy as np

from pages.contract.question import solution
from pages.controls.prose import Typed
from pages.step_by_step.questions import cold, itself, mixed, scores, symmetric, tied
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.questions.read import whole

NAMES = tuple(map(Typed, ("tea", "his", "tea")))


def test_scores_are_one_for_each_query_and_key() -> None:
    asked = scores(5, "piece")
    assert asked is not None
    assert solution(asked) == "25 scores"
    assert [value for value, _ in asked.mistaken] == [5, 10, 20]
    assert "5 pieces" in asked.text
    three = scores(3, "word")
    assert three is not None
    assert [value for value, _ in three.mistaken] == [6], "3 may be words or pairs"
    assert scores(2, "word") is None


def test_without_matrices_the_first_row_without_a_tie_is_asked_for() -> None:
    pattern = np.array([[0.4, 0.2, 0.4], [0.1, 0.8, 0.1], [0.4, 0.2, 0.4]])
    asked = itself(pattern, NAMES)
    assert asked is not None
    assert "does *his* attend" in asked.text
    assert solution(asked) == "*2 his*"
    assert itself(np.full((2, 2), 0.5), NAMES[:2]) is None


@each(("difference", "right"), [(1e-7, "0.00"), (0.25, None), (float("nan"), None)])
def test_scores_of_one_matrix_are_asked_about_while_they_are_symmetric(
    difference: float, right: str | None
) -> None:
    asked = tied(difference)
    assert (asked and solution(asked)) == right


def test_a_cold_look_up_is_asked_about_if_one_key_is_the_best() -> None:
    assert solution(whole(cold(1, 2))) == "the value of the best key"
    assert cold(2, 3) is None
    assert cold(1, 1) is None, "the best value is the mean of all"
    assert solution(whole(mixed())) == "the values"
    assert solution(whole(symmetric())) == "any number"


def test_scores_are_asked_of_the_head_with_one_matrix() -> None:
    tied_scores = Asked("step-by-step", view="Q = K", model="random").questions[-1]
    assert solution(tied_scores) == "0.00"
