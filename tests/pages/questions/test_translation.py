"""What the views of Translation ask first, on numbers made up for it and on those of the sheets."""

import math

import numpy as np
import pytest

from core.text.translation import Translation
from pages.contract.question import Choose, Estimate, Sketch, solution
from pages.controls.prose import Typed
from pages.translation import attention_questions
from pages.translation import bottleneck_questions as asks_of_bottleneck
from pages.translation import questions as asks
from pages.translation.kinds import CROSS, DECODER, ENCODER
from tests.pages.asked import Asked

PAGE = "translation"
KEY, IS = Typed("key"), Typed("is")


def known(asked: Estimate | None) -> dict[float, str]:
    assert asked is not None
    return dict(asked.mistaken)


def test_the_end_of_a_translation_takes_a_step() -> None:
    assert set(known(asks.steps_of_writing(3, 4))) == {1, 3}
    only = asks.steps_of_writing(1, 2)
    assert set(known(only)) == {1}
    assert "the end" not in known(only)[1]
    assert "a step of its own" in known(only)[1]
    assert asks.steps_of_writing(0, 1) is None


def test_the_least_certain_word_is_asked_for_where_there_is_one() -> None:
    asked = asks.least_certain([KEY, IS], [0.9, 0.4])
    assert asked is not None
    assert solution(asked) == "*is*"
    assert "40 %" in asked.because
    assert asks.least_certain([KEY, IS], [0.999, 0.998]) is None
    assert asks.least_certain([KEY], [0.4]) is None


def test_a_row_of_weights_is_asked_for_where_it_is_one_of_a_softmax() -> None:
    asked = asks.row_of_attention(Typed("este"), [KEY, IS], [0.25, 0.75], meant=IS, head="layer 1, head 2")
    assert asked is not None
    assert asked.text == "Draw what *este*, which stands for *is*, attends to in layer 1, head 2."
    assert asked.because.startswith("*is* gets 75 %")
    plain = asks.row_of_attention(Typed("este"), [KEY, IS], [0.25, 0.75])
    assert plain is not None
    assert plain.text == "Draw what *este* attends to."
    for weights in ([-0.25, 1.25], [0.1, 0.2], [math.nan, 1.0]):
        assert asks.row_of_attention(Typed("este"), [KEY, IS], weights) is None
    assert asks.row_of_attention(Typed("este"), [KEY], [1.0]) is None


PATTERN = np.array([[0.1, 0.9, 0.0], [0.5, 0.3, 0.2], [0.2, 0.2, 0.6]])
EXACT = Translation(("lo", "klavo", "gravo"), frozenset({(2, 0), (1, 1), (0, 2), (2, 2)}))


def test_the_row_is_that_of_a_word_whose_meaning_is_known() -> None:
    asked = attention_questions.of_pattern(
        CROSS, PATTERN, EXACT.words, ("a", "key", "is"), head="", exact=EXACT
    )
    drawn = asked[1]
    assert isinstance(drawn, Sketch)
    # The article has a larger weight, but says nothing.
    # Of gravo two words are the source: which of them it stands for, is not said.
    assert drawn.text == "Draw what *gravo* attends to."
    one = Translation(EXACT.words, EXACT.alignment - {(2, 2)})
    again = attention_questions.of_pattern(
        CROSS, PATTERN, EXACT.words, ("a", "key", "is"), head="", exact=one
    )
    assert again[1] is not None
    assert "which stands for *a*" in again[1].text


def test_within_one_language_the_clearest_row_is_drawn_and_of_the_decoder_one_with_a_choice() -> None:
    (drawn,) = attention_questions.of_pattern(ENCODER, PATTERN, "abc", "abc", head="")
    assert isinstance(drawn, Sketch)
    assert (drawn.text, drawn.right) == ("Draw what *a* attends to.", (0.1, 0.9, 0.0))
    causal = np.array([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.2, 0.2, 0.6]])
    (drawn,) = attention_questions.of_pattern(DECODER, causal, "abc", "abc", head="")
    assert isinstance(drawn, Sketch)
    assert (drawn.text, drawn.labels) == ("Draw what *c* attends to.", ("a", "b", "c"))


def test_alignment_is_asked_beside_chance_where_it_is_better() -> None:
    assert set(known(asks.aligned_by("dot", 0.9, 0.1))) == {10}
    assert known(asks.aligned_by("dot", 0.1, 0.2)) == {}
    assert known(asks.aligned_by("dot", 0.12, 0.1)) == {}


@pytest.mark.parametrize(
    ("n_lost", "mistaken", "because"),
    [
        (0, {3}, "None depends on it so much."),
        (1, {0, 3}, "Words that depend on the wrong one become unlikely."),
        (3, {0}, "All of them depend on the wrong word."),
    ],
)
def test_words_after_a_wrong_one_are_asked_for(n_lost: int, mistaken: set[float], because: str) -> None:
    asked = asks.words_made_unlikely(Typed("la"), Typed("lo"), 3, n_lost, again="its own words")
    assert asked is not None
    assert set(known(asked)) == mistaken
    assert asked.because == because
    assert asks.words_made_unlikely(Typed("la"), Typed("lo"), 0, 0, again="") is None


def test_a_word_that_is_not_needed_is_asked_for_among_those_that_are() -> None:
    words = [Typed(word) for word in "abcdef"]
    asked = asks.needless_word(words, [0.9, 0.01, 0.02, 0.8, 0.7, 0.95])
    assert asked is not None
    assert [option.text for option in asked.options] == ["*a*", "*b*", "*d*", "*f*"]
    assert solution(asked) == "*b*"
    assert asked.options[3].why_not == "Without it a word loses 0.95 of its probability."
    assert asks.needless_word(words[:2], [0.9, 0.2]) is None
    assert asks.needless_word(words[:2], [0.01, 0.2]) is None
    assert asks.needless_word(words[:1], [0.01]) is None
    assert asks.needless_word(words[:2], [math.nan, 0.9]) is None


def test_sentences_right_are_asked_for_where_attention_helps_most() -> None:
    shares = {"4–6": (0.5, 0.9), "7–9": (0.1, 0.8), "10–13": (0.0, 0.6)}
    asked = asks_of_bottleneck.right_without_attention("LSTM", shares)
    assert asked is not None
    assert "with 7–9 words" in asked.text
    assert (asked.right, set(known(asked))) == (10, {80})
    alike = asks_of_bottleneck.right_without_attention("RNN", {"4–6": (0.5, 0.4)})
    assert known(alike) == {}
    assert asks_of_bottleneck.right_without_attention("RNN", {}) is None


def test_words_told_are_drawn_by_those_that_follow() -> None:
    asked = asks_of_bottleneck.told_by_distance("LSTM alone", ["1", "2–3", "4–6"], [0.8, 0.2, 0.3])
    assert asked is not None
    assert asked.labels == ("1 follows", "2–3 follow", "4–6 follow")
    assert asked.because == "Of the last words 80 % can be told, of those followed by 2–3 words 20 %."
    assert asks_of_bottleneck.told_by_distance("LSTM alone", [], []) is None


def test_steps_are_those_of_the_sheet() -> None:
    page = Asked(PAGE)
    assert f"in {solution(page.questions[0])} steps" in page.sheet.answer


def test_a_row_is_drawn_as_the_matrix_has_it() -> None:
    page = Asked(PAGE, view="cross-attention", head=3)
    asked, drawn = page.questions
    assert isinstance(asked, Choose)
    assert isinstance(drawn, Sketch)
    rows = [row for row in page.matrix("alignment") if np.allclose(row, drawn.right, atol=1e-3)]
    assert len(rows) == 1
    assert Asked(PAGE, view="cross-attention", translator="LSTM", attention="none").questions == []
    linear = Asked(PAGE, view="cross-attention", translator="LSTM", attention="linear")
    assert [type(one) for one in linear.questions] == [Choose]


def test_the_bottleneck_is_asked_with_the_shares_of_its_pictures() -> None:
    page = Asked(PAGE, view="bottleneck", translator="RNN")
    what, right, drawn = page.questions
    assert solution(what) == "one vector of fixed size has to hold the whole sentence"
    assert f"RNN alone {solution(right)} at 4–6" in page.alt("by_length")
    assert isinstance(drawn, Sketch)
    assert f"RNN alone {drawn.right[0]:.0f} % at 1, {drawn.right[1]:.0f} % at 2–3" in page.alt("by_distance")


def test_other_views_ask_with_the_numbers_of_their_sheets() -> None:
    aligned = Asked(PAGE, view="alignment for free")
    assert f"**dot** {solution(aligned.questions[1])}" in aligned.prose
    forced = Asked(PAGE, view="teacher forcing")
    without = Asked(PAGE, view="teacher forcing", text="the")
    fed = [page.questions[1].text for page in (forced, without)]
    assert ["the right words again" in text for text in fed] == [True, False]
    assert "its own words again" in fed[1]
    assert f"{solution(forced.questions[1])} later word is no longer likely" in forced.sheet.answer
    hidden = Asked(PAGE, view="knock out")
    (needless,) = (sentence for sentence in hidden.said if "one at a time, no word loses" in sentence)
    word = solution(hidden.questions[1]).removeprefix("*the ").removesuffix("*")
    assert f"*the* {word}".replace("\\", "") in needless
