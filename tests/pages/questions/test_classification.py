"""What is asked of classifiers before they are shown: by their own verdicts, on every review."""

from pages.classification.questions import (
    Judged,
    Kept,
    does_a_large_weight_matter,
    hidden_word,
    one_word_is_not_enough,
    turning_change,
    who_forgets,
)
from pages.contract.predict import told_apart
from pages.contract.question import Choose, solution
from tests.covering import each
from tests.pages.asked import Asked

REVIEW = ("the", "tea", "was", "the", "best")


def judged(*ablation: float, attends: bool = False) -> Judged:
    return Judged("The LSTM", REVIEW, told_apart(REVIEW), ablation, attends)


def test_the_last_opinion_is_wrong_where_a_negation_turns_it_round() -> None:
    asked = one_word_is_not_enough({"but": 1.0, "although + negation": 0.25, "seen": 0.7})
    assert asked is not None
    assert solution(asked) == "*although + negation*"
    assert "right in 25 % there" in asked.because
    assert [bool(option.why_not) for option in asked.options] == [True, False, False]
    assert one_word_is_not_enough({"but": 0.5, "seen": 0.5}) is None


def test_the_hidden_word_that_changes_most_is_asked_for_whatever_the_direction() -> None:
    asked = hidden_word(judged(0.1, 3.0, 0.2, -7.07, 1.0))
    assert asked is not None
    assert solution(asked) == f"*{told_apart(REVIEW)[3]}*"
    assert "−7.07" in asked.because
    assert hidden_word(judged(0.1, 3.0, 0.2, -3.0, 1.0)) is None
    assert hidden_word(judged(0.0, 0.0, 0.0, 0.0, 0.0)) is None


def test_a_large_weight_need_not_matter() -> None:
    asked = does_a_large_weight_matter(judged(0, 1, 0, 0, 9, attends=True))
    assert asked is not None
    assert solution(asked) == "not by itself"
    assert does_a_large_weight_matter(judged(0, 9, 0, 0, 1)) is None


def test_the_change_that_turns_most_verdicts_is_asked_for() -> None:
    asked = turning_change(
        REVIEW, {"+ negation": 5, "+ intensifier": 0, "exchanged": 1}, 7, ["+ intensifier"]
    )
    assert asked is not None
    assert solution(asked) == "+ negation"
    assert asked.because == "It turns 5 of 7 verdicts round."
    assert [bool(option.why_not) for option in asked.options] == [False, True, False]
    assert turning_change(REVIEW, {"+ negation": 0, "exchanged": 0}, 7, ()) is None
    assert turning_change(REVIEW, {}, 7, ()) is None


def test_the_classifier_that_forgets_is_asked_for() -> None:
    kept = {
        "RNN last state": Kept(0.9, 0.5, is_lost=True),
        "LSTM last state": Kept(1.0, 0.95, is_lost=False),
        "RNN mean": Kept(0.9, 1.0, is_lost=False),
        "Transformer": Kept(1.0, 1.0, is_lost=False),
    }
    who = who_forgets(75.2, kept)
    assert who is not None
    assert solution(who) == "RNN last state"
    why = {option.text: option.why_not for option in who.options}
    assert why["RNN last state"] == why["LSTM last state"] == ""
    assert "mean or a maximum" in why["RNN mean"]
    assert "directly" in why["Transformer"]
    assert "75 more words" in who.text
    assert "right in 50 %. If the deciding word comes last, it is right in 90 %" in who.because


@each(
    ("rnn", "transformer"),
    [
        (Kept(0.9, 0.9, is_lost=False), Kept(1.0, 0.95, is_lost=False)),
        (Kept(0.9, 0.5, is_lost=True), Kept(1.0, 0.55, is_lost=True)),
        (Kept(0.5, 0.5, is_lost=False), Kept(1.0, 0.8, is_lost=True)),
    ],
)
def test_where_none_clearly_forgets_most_nothing_is_asked(rnn: Kept, transformer: Kept) -> None:
    assert who_forgets(75, {"RNN last state": rnn, "Transformer": transformer}) is None


def test_contributions_ask_for_the_word_of_the_answer_and_for_weights_where_there_are_some() -> None:
    page = Asked("classification", view="contributions")
    word, weight = page.questions
    assert f"counts most is {solution(word)}." in page.sheet.answer
    assert solution(weight) == "not by itself"
    (only,) = Asked("classification", view="contributions", classifier="RNN last state").questions
    assert isinstance(only, Choose)


def test_a_flip_and_the_forgetful_are_those_of_the_sheets() -> None:
    (flip,) = Asked("classification", view="flips").questions
    assert solution(flip) == "exchanged"
    assert Asked("classification", view="flips", text="the tea").questions == []
    page = Asked("classification", view="forgetting")
    (who,) = page.questions
    assert f"{solution(who)} falls from 93 % to 45 %" in page.sheet.answer
    assert "45 %" in who.because
