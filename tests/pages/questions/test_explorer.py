"""What is asked of attention weights before they are shown: by the numbers of the picture."""

from math import exp

import pytest

from pages.contract.predict import told_apart
from pages.contract.question import Choose, Estimate, Sketch, solution
from pages.contract.sheet import Shown
from pages.explorer.questions import (
    Row,
    does_a_large_weight_matter,
    equal_scores,
    head_that_matters,
    lines_of,
    ratio_of_weights,
    weights_of,
)
from tests.covering import each
from tests.pages.asked import Asked

PLACE = "layer 1, head 3"


def row(*weights: float, words: str = "tea was tea hot", comes_from: bool = False) -> Row:
    keys = told_apart(words.split()[: len(weights)])
    return Row(PLACE, keys[-1] if keys else told_apart(["tea"])[0], keys, weights, comes_from=comes_from)


def test_a_row_is_drawn_with_equal_words_told_apart() -> None:
    asked = weights_of(row(0.1, 0.2, 0.7, 0.0))
    assert isinstance(asked, Sketch)
    assert asked.labels == ("tea (1)", "was", "tea (3)", "hot")
    assert asked.because.endswith("gets 70 %. Equal weights would be 25 % each.")
    assert "In layer 1, head 3, *hot* attends" in asked.text


def test_a_rollout_is_asked_for_as_what_a_state_comes_from() -> None:
    asked = weights_of(row(0.1, 0.9, comes_from=True))
    assert asked is not None
    assert "the state of *was* comes from" in asked.text


@pytest.mark.parametrize("comes_from", [False, True])
def test_of_a_row_that_is_not_whole_the_largest_weight_is_asked_for(comes_from: bool) -> None:
    asked = weights_of(row(0.1, 0.2, 0.3, 0.0, comes_from=comes_from))
    assert isinstance(asked, Choose)
    assert "tea" in solution(asked)
    assert "gets 30 %" in asked.because
    resolved = [option.text for option in asked.options if option.why_not]
    assert resolved == ([] if comes_from else ["*hot*"])


def test_of_a_long_row_the_largest_weight_is_asked_for() -> None:
    n = 20
    asked = weights_of(row(*[0.5 / n] * n, 0.5, words=" ".join("abcdefghijklmnopqrstu")))
    assert isinstance(asked, Choose)
    assert solution(asked) == "*u*"
    assert not any(option.why_not for option in asked.options)


def test_a_row_without_a_choice_is_not_asked_for() -> None:
    assert weights_of(row(1.0)) is None
    assert weights_of(row()) is None
    assert weights_of(row(0.3, 0.3)) is None


def test_lines_are_fewer_than_words() -> None:
    asked = lines_of(row(0.1, 0.2, 0.6, 0.1), 0.8, 2)
    assert asked is not None
    assert solution(asked) == "2 lines"
    assert asked.bounds == (1, 4)
    assert [value for value, _ in asked.mistaken] == [4]
    all_of_them, one = lines_of(row(0.5, 0.5), 1.0, 2), lines_of(row(0.1, 0.9), 0.8, 1)
    assert all_of_them is not None
    assert all_of_them.mistaken == ()
    assert one is not None
    assert solution(one) == "1 line"
    assert lines_of(row(1.0), 0.8, 1) is None
    assert lines_of(row(0.5, 0.5, comes_from=True), 0.8, 2) is None


def test_a_difference_of_scores_is_a_ratio_of_weights() -> None:
    asked = ratio_of_weights(row(0.1, 0.2, 0.7), (1.0, 4.0, -7.0))
    assert asked is not None
    assert asked.right == pytest.approx(exp(3))
    assert [value for value, _ in asked.mistaken] == [4.0]
    assert asked.because == "exp(4.00 − 1.00) = 20.1."
    below = ratio_of_weights(row(0.1, 0.9), (-1.0, 1.0))
    assert below is not None
    assert below.because.startswith("exp(1.00 + 1.00)")
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


def test_the_head_that_matters_need_not_have_the_largest_weight() -> None:
    changes = {PLACE: 0.1, "layer 2, head 1": 1.48, "layer 2, head 2": 0.3}
    asked = head_that_matters(changes, "the prediction", " nats", PLACE, 0.9)
    assert asked is not None
    assert solution(asked) == "layer 2, head 1"
    assert asked.because == "Without it the change is 1.48 nats."
    assert [bool(option.why_not) for option in asked.options] == [True, False, False]
    for shown, weight in ((PLACE, 0.3), ("layer 2, head 1", 0.9)):
        other = head_that_matters(changes, "the prediction", " nats", shown, weight)
        assert other is not None
        assert not any(option.why_not for option in other.options)
    assert head_that_matters({PLACE: 1.0, "layer 2, head 1": 1.01}, "it", "") is None
    assert head_that_matters({}, "it", "") is None


def test_a_large_weight_does_not_say_that_its_word_matters() -> None:
    asked = does_a_large_weight_matter(row(0.1, 0.9), {PLACE: 0.1, "layer 2, head 1": 0.5})
    assert asked is not None
    assert solution(asked) == "not by itself"
    assert asked.because.endswith("layer 2, head 1 changes more here than knocking out layer 1, head 3.")
    for changes in ({PLACE: 0.9, "layer 2, head 1": 0.5}, {}, {"layer 2, head 1": 0.5}):
        other = does_a_large_weight_matter(row(0.1, 0.9), changes)
        assert other is not None
        assert other.because.endswith("or knock out the head.")
    for without in (row(1.0), row(), row(0.5, 0.5), row(0.1, 0.9, comes_from=True)):
        assert does_a_large_weight_matter(without, {}) is None


@pytest.mark.parametrize(
    "link",
    [
        {},
        {"view": "matrix", "query": 4, "key": 2},
        {"view": "matrix", "show": "mean over heads", "mask": "bidirectional"},
        {"layer": 2, "head": 1, "positions": "none"},
    ],
)
def test_the_row_drawn_is_one_of_the_picture(link: dict[str, object]) -> None:
    page = Asked("explorer", **link)
    drawn = page.questions[0]
    assert isinstance(drawn, Sketch)
    picture = next(part.picture for part in page.parts if isinstance(part, Shown) and part.key == "matrix")
    assert picture.table is not None
    table = picture.table()
    assert any(
        [value for value in numbers if value > 0]
        == pytest.approx([one for one in drawn.right if one > 0], abs=1e-6)
        for numbers in table.fillna(0).to_numpy().tolist()
    )
    if "query" in link:
        assert "*near* attends" in drawn.text


def test_the_head_asked_for_has_the_highest_bar() -> None:
    page = Asked("explorer")
    head = page.questions[1]
    assert solution(head) == "layer 1, head 2"
    assert "1.48 nats" in head.because
    of_random_weights = Asked("explorer", model="random").questions
    assert not any("knocked out alone" in one.text for one in of_random_weights)


def test_stages_and_lines_ask_for_what_they_draw() -> None:
    ratio, equal = Asked("explorer", view="stages").questions
    assert isinstance(ratio, Estimate)
    assert ratio.right == pytest.approx(exp(4.28 - 1.13))
    assert solution(equal) == "14 %"
    lines, _ = Asked("explorer", view="lines").questions
    assert solution(lines) == "1 line"
