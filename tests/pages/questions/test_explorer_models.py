"""What is asked of two models, of all heads of one, and of the vectors of sentences."""

import pytest

from pages.contract.question import Estimate, solution
from pages.explorer.questions_of_models import (
    denied_sentence,
    head_most_like,
    nearest_sentence,
    row_that_changes,
    two_orders_without_positions,
    what_heads_attend_to,
)
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.questions.read import whole
from tests.real import needs_minilm

PLACE = "layer 1, head 3"


def test_the_row_that_changes_most_is_asked_for_with_what_differs() -> None:
    moved = {"*tea*": 0.1, "*was*": 0.6}
    asked = row_that_changes(PLACE, [("Norm", "pre", "post")], moved, "word")
    assert asked is not None
    assert solution(asked) == "*was*"
    assert "one sentence: *Norm* is pre in A and post in B. In layer 1, head 3," in asked.text
    assert asked.because == "60 % of its attention goes elsewhere in B."
    seeds = row_that_changes(PLACE, [], moved, "word")
    assert seeds is not None
    assert seeds.text.startswith("A and B read one sentence. In")
    assert row_that_changes(PLACE, [], {"*tea*": 0.0, "*was*": 0.001}, "word") is None
    assert row_that_changes(PLACE, [], {}, "word") is None


def test_the_head_most_like_another_is_asked_for_if_one_clearly_is() -> None:
    asked = head_most_like(2, [0.4, 0.7, 0.25])
    assert asked is not None
    assert "most like head 3 of A" in asked.text
    assert solution(asked) == "head 3 of B"
    assert asked.because.startswith("On average 25 %")
    assert head_most_like(0, [0.4, 0.4, 0.9]) is None


def test_the_nearest_sentence_shares_more_words_than_one_of_the_same_meaning() -> None:
    cosines, shared = {"a b": 0.9, "c d": 0.7, "b e": 0.1}, {"a b": 2, "c d": 0, "b e": 2}
    asked = nearest_sentence("MiniLM", "a b f", cosines, shared)
    assert asked is not None
    assert solution(asked) == "*“a b”*"
    assert [bool(option.why_not) for option in asked.options] == [False, True, False]
    assert "0.90" in asked.because
    assert nearest_sentence("MiniLM", "a", {}, {}) is None
    assert nearest_sentence("MiniLM", "a", {"b": 0.5, "c": 0.5}, {"b": 0, "c": 0}) is None


def test_long_sentences_that_begin_alike_are_two_answers() -> None:
    long = "tea " * 60
    asked = nearest_sentence(
        "MiniLM", long, {long + "a": 0.9, long + "b": 0.5}, {long + "a": 1, long + "b": 1}
    )
    assert asked is not None
    assert solution(asked).endswith("a”*")
    assert len(asked.text) < 300


def test_a_denied_sentence_has_the_reason_that_its_cosine_has() -> None:
    asked = denied_sentence("It is.", "It is not.", 0.89)
    assert solution(asked) == "0.89"
    assert [value for value, _ in asked.mistaken] == [-1, 0]
    assert asked.because == "The two sentences have all words but one in common."
    far = denied_sentence("It is.", "It is not.", 0.02)
    assert [value for value, _ in far.mistaken] == [-1]
    assert far.because.endswith("in common, and still their states are far from equal.")
    assert solution(whole(two_orders_without_positions())) == "equal: the cosine is 1"


def test_compare_asks_for_the_row_and_not_where_b_is_a() -> None:
    page = Asked("explorer", view="compare")
    assert solution(page.questions[0]) == "*near*"
    assert "*Positions* is sinusoidal in A and none in B" in page.questions[0].text
    assert len(page.questions) == 2
    assert Asked("explorer", view="compare", b_positions="as A").questions == []
    (only,) = Asked("explorer", view="compare", b_positions="as A", b_mask="bidirectional").questions
    assert "*Mask* is causal in A" in only.text


@each(
    ("above", "right"),
    [
        ({"the word before": 0.1, "a verb's subject": 0.5}, "a verb's subject"),
        ({"the word before": 0.5, "a verb's subject": 0.51}, None),
        ({"the word before": 0.1}, None),
    ],
)
def test_what_gets_most_is_asked_for_although_others_get_more_than_equal_weights_too(
    above: dict[str, float], right: str | None
) -> None:
    asked = what_heads_attend_to(above, "Said.")
    assert (asked and solution(asked)) == right


def test_head_scores_ask_for_the_specialist_of_the_answer() -> None:
    page = Asked("explorer", view="head scores")
    (work,) = page.questions
    assert f"of its attention on {solution(work)};" in page.prose
    assert Asked("explorer", view="head scores", model="random").questions == []


def test_without_a_real_model_similarity_asks_for_order() -> None:
    (asked,) = Asked("explorer", view="similarity").questions
    assert solution(asked) == "equal: the cosine is 1"


@needs_minilm
def test_similarity_asks_for_the_sentence_that_minilm_puts_first() -> None:
    page = Asked("explorer", view="similarity", model="real")
    nearest, denied = page.questions
    assert (
        f"the most similar of 7 sentences is {solution(nearest).replace('“', '').replace('”', '')}"
        in page.sheet.answer
    )
    assert isinstance(denied, Estimate)
    assert denied.right == pytest.approx(0.886, abs=1e-3)
    other = Asked("explorer", view="similarity", model="real", text="tea is hot").questions
    assert not any(isinstance(one, Estimate) for one in other)
