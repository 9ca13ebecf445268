"""What is asked of classifiers before they are shown: by their own verdicts, on every review."""

import pytest

from pages.classification.questions import (
    Judged,
    Kept,
    accuracy_of_the_forgetful,
    does_a_large_weight_matter,
    hidden_word,
    how_many_praise,
    one_word_is_not_enough,
    turning_change,
    who_forgets,
)
from pages.contract.predict import told_apart
from pages.contract.question import Choose, Estimate, solution
from tests.pages.asked import Asked

REVIEW = ("the", "tea", "was", "the", "best")


def judged(*ablation: float, attention: tuple[float, ...] = ()) -> Judged:
    return Judged("The LSTM", REVIEW, told_apart(REVIEW), ablation, attention)


def test_classifiers_that_call_a_review_praise_are_counted() -> None:
    asked = how_many_praise(REVIEW, 3, 7, "praise")
    assert asked is not None
    assert solution(asked) == "3"
    assert asked.bounds == (0, 7)
    ((value, said),) = asked.mistaken
    assert value == 7
    assert said.startswith("The rules of the language say praise")
    assert asked.because == "3 of 7 call it praise, 4 blame."


def test_where_the_rules_say_nothing_or_all_are_right_there_is_no_mistake_to_resolve() -> None:
    for one in (how_many_praise(REVIEW, 3, 7, None), how_many_praise(REVIEW, 0, 7, "blame")):
        assert one is not None
        assert one.mistaken == ()
    against = how_many_praise(REVIEW, 1, 7, "blame")
    assert against is not None
    assert [value for value, _ in against.mistaken] == [0]
    assert how_many_praise(REVIEW, 1, 1, "praise") is None


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
    weights = (0.1, 0.5, 0.1, 0.1, 0.2)
    apart = does_a_large_weight_matter(judged(0, 1, 0, 0, 9, attention=weights))
    assert apart is not None
    assert solution(apart) == "not by itself"
    assert "*tea* gets the largest weight, and *best* changes the verdict most" in apart.because
    same = does_a_large_weight_matter(judged(0, 9, 0, 0, 1, attention=weights))
    assert same is not None
    assert "both are *tea*" in same.because
    assert does_a_large_weight_matter(judged(0, 9, 0, 0, 1)) is None
    assert does_a_large_weight_matter(judged(0, 0, 0, 0, 0, attention=weights)) is None


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


def test_the_classifier_that_forgets_is_asked_for_and_what_is_left_to_it() -> None:
    kept = {
        "RNN last state": Kept(0.9, 0.5, is_lost=True),
        "LSTM last state": Kept(1.0, 0.95, is_lost=False),
        "RNN mean": Kept(0.9, 1.0, is_lost=False),
        "Transformer": Kept(1.0, 1.0, is_lost=False),
    }
    who, left = who_forgets(75.2, kept), accuracy_of_the_forgetful(75.2, kept, 0.54)
    assert who is not None
    assert left is not None
    assert solution(who) == "RNN last state"
    why = {option.text: option.why_not for option in who.options}
    assert why["RNN last state"] == ""
    assert "gates" in why["LSTM last state"]
    assert "mean or a maximum" in why["RNN mean"]
    assert "directly" in why["Transformer"]
    assert "75 more words" in who.text
    assert solution(left) == "50 %"
    assert [value for value, _ in left.mistaken] == [0]
    assert "54 %" in left.because


def test_where_nobody_forgets_nothing_is_asked() -> None:
    kept = {"RNN last state": Kept(0.9, 0.9, is_lost=False), "Transformer": Kept(1.0, 0.9, is_lost=False)}
    assert who_forgets(75, kept) is None
    assert accuracy_of_the_forgetful(75, kept, 0.5) is None
    lost = {"RNN last state": Kept(0.9, 0.05, is_lost=True)}
    left = accuracy_of_the_forgetful(75, lost, 0.5)
    assert left is not None
    assert left.mistaken == ()


@pytest.mark.parametrize("text", ["the film was never dull .", "the soup was not bland ."])
def test_the_verdicts_asked_for_are_those_of_the_sheet(text: str) -> None:
    page = Asked("classification", text=text)
    many = page.questions[0]
    assert isinstance(many, Estimate)
    n = int(many.right)
    said = {0: "All 7 classifiers call it blame", 7: "All 7 classifiers call it praise"}
    assert page.sheet.answer.startswith(said.get(n, f"{n} of 7 classifiers"))


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
    who, left = page.questions
    assert f"{solution(who)} falls from 93 % to {solution(left)}" in page.sheet.answer
