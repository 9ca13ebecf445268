"""What the views of Translation ask first, on numbers made up for it and on those of the sheets."""

import math

from core.learning.evaluation.translation import Share
from pages.contract.question import Estimate, solution, texts
from pages.controls.prose import Typed
from pages.translation import bottleneck_questions as asks_of_bottleneck
from pages.translation import questions as asks
from tests.covering import each
from tests.pages.asked import Asked

PAGE = "translation"
KEY, IS = Typed("key"), Typed("is")


def known(asked: Estimate | None) -> dict[float, str]:
    assert asked is not None
    return dict(asked.mistaken)


def test_the_end_of_a_translation_takes_a_step() -> None:
    assert set(known(asks.steps_of_writing(3, 4))) == {1, 3}
    assert known(asks.steps_of_writing(1, 2)) == {}, "1 may be either mistake"
    assert asks.steps_of_writing(0, 1) is None


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


@each(
    ("alone", "attending", "right"),
    [
        (2, 94, "clearly fewer"),
        (94, 20, "clearly more"),
        (95, 96, "about as many"),
        (86, 94, None),
    ],
)
def test_sentences_right_without_attention_are_asked_for_if_that_is_no_luck(
    alone: int, attending: int, right: str | None
) -> None:
    shares = {"4–6": (Share(alone, 100), Share(attending, 100))}
    asked = asks_of_bottleneck.right_without_attention("LSTM", shares)
    assert (asked and solution(asked)) == right


def test_sentences_right_are_asked_for_where_attention_helps_most() -> None:
    shares = {"4–6": (Share(50, 100), Share(90, 100)), "7–9": (Share(10, 100), Share(80, 100))}
    asked = asks_of_bottleneck.right_without_attention("LSTM", shares)
    assert asked is not None
    assert "with 7–9 words" in asked.text
    assert asks_of_bottleneck.right_without_attention("RNN", {}) is None


def test_steps_are_those_of_the_sheet() -> None:
    page = Asked(PAGE)
    assert f"in {solution(page.questions[0])} steps" in page.sheet.answer


def test_the_bottleneck_is_asked_with_the_shares_of_its_pictures() -> None:
    page = Asked(PAGE, view="bottleneck", translator="RNN")
    (asked,) = page.questions
    assert solution(asked) == "clearly fewer"
    told = asked.because.removeprefix("It gets ").split(" right")[0]
    assert f"RNN alone {told} at 4–6" in page.alt("by_length")


def test_the_needless_word_is_that_of_the_sheet() -> None:
    hidden = Asked(PAGE, view="knock out")
    (needless,) = (sentence for sentence in hidden.said if "one at a time, no word loses" in sentence)
    word = solution(hidden.questions[1]).removeprefix("*the ").removesuffix("*")
    assert f"*the* {word}".replace("\\", "") in needless


@each("translator", ["Transformer", "LSTM", "RNN"])
def test_no_question_says_of_recurrent_networks_what_holds_for_transformers_alone(translator: str) -> None:
    for view in ("translate", "cross-attention", "teacher forcing", "knock out", "alignment for free"):
        for asked in Asked(PAGE, view=view, translator=translator).questions:
            said = " ".join(texts(asked))
            assert "at once" not in said
            assert "self-attention" not in said
