"""What is asked of attention weights before they are shown: by the numbers of the picture."""

import re
from math import exp

import pytest

from pages.contract.predict import told_apart
from pages.contract.question import Estimate, solution
from pages.explorer.questions import Row, does_a_large_weight_matter, equal_scores, ratio_of_weights
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import readable

PLACE = "layer 1, head 3"


def row(*weights: float, words: str = "tea was tea hot", comes_from: bool = False) -> Row:
    keys = told_apart(words.split()[: len(weights)])
    return Row(PLACE, keys[-1] if keys else told_apart(["tea"])[0], keys, weights, comes_from=comes_from)


def test_a_difference_of_scores_is_a_ratio_of_weights() -> None:
    asked = ratio_of_weights(row(0.1, 0.2, 0.7), (1.0, 4.0, -7.0))
    assert asked is not None
    assert asked.right == pytest.approx(exp(3))
    assert [value for value, _ in asked.mistaken] == [4.0]
    assert asked.because.startswith("It is exp(4.00 − 1.00)")
    below = ratio_of_weights(row(0.1, 0.9), (-1.0, 1.0))
    assert below is not None
    assert below.because.startswith("It is exp(1.00 + 1.00)")
    assert below.mistaken == ()


@each("scores", [(1.0,), (1.0, 1.2), (1.0, 9.0), (1e4, 1.0), (1.0, float("-inf")), ()])
def test_scores_whose_ratio_nobody_can_guess_are_not_asked_for(scores: tuple[float, ...]) -> None:
    assert ratio_of_weights(row(0.5, 0.5), scores) is None


def test_equal_scores_share_the_attention() -> None:
    asked = equal_scores(row(0.1, 0.2, 0.6, 0.1))
    assert asked is not None
    assert solution(asked) == "25 %"
    assert [value for value, _ in asked.mistaken] == [0]
    many = equal_scores(row(*[1 / 256] * 256, words="a " * 256))
    assert many is not None
    assert solution(many) == "0.4 %"
    assert equal_scores(row(1.0)) is None


def test_a_large_weight_does_not_say_that_its_word_matters() -> None:
    asked = does_a_large_weight_matter(row(0.1, 0.9))
    assert asked is not None
    assert solution(asked) == "not by itself"
    assert "*was* attends most to *was*" in asked.text
    for without in (row(1.0), row(), row(0.5, 0.5), row(0.1, 0.9, comes_from=True)):
        assert does_a_large_weight_matter(without) is None


def test_the_largest_weight_asked_about_is_one_of_the_picture() -> None:
    page = Asked("explorer", view="matrix", query=4, key=2)
    (asked,) = page.questions
    best = page.table("matrix").iloc[3].idxmax()
    assert f"*near* attends most to *{best}*" in readable(asked.text)


def test_stages_ask_for_what_they_draw() -> None:
    ratio, equal = Asked("explorer", view="stages").questions
    assert isinstance(ratio, Estimate)
    assert ratio.right == pytest.approx(exp(4.28 - 1.13))
    assert solution(equal) == "14 %"


@pytest.mark.parametrize(
    ("view", "link"),
    [
        *((view, link) for view in ("matrix", "lines") for link in ({"query": 3}, {"key": 4}, {"place": 4})),
        ("all heads", {"place": 4}),
    ],
)
def test_the_question_is_about_the_row_that_the_link_selects(view: str, link: dict[str, int]) -> None:
    asked = Asked("explorer", view=view, **link)
    headline = readable(str(asked.sheet.answer))
    (word,) = re.findall(r", \*(.+?)\* gives ", headline)
    (question,) = asked.questions
    assert f", *{word}* attends most to" in readable(question.text)
