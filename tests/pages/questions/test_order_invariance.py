"""What one expects of two orders is asked with the right answer, in every setting that tells them apart."""

from dataclasses import replace

import pytest

from core.measures.order.exchange import Replies
from pages.contract.question import solution, texts
from pages.controls.prose import Typed
from pages.order_invariance.questions import (
    Setting,
    TwoOrders,
    agreeing_after_one_layer,
    agreeing_after_two_layers,
    right_without_positions,
    words_that_change,
)
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.questions.read import mistaken, reasons, whole

NAMES = tuple(map(Typed, ("the (1)", "oven", "cooked", "the (4)", "bread", "so")))
ORDERS = TwoOrders(
    Typed("the oven cooked the bread so"),
    Typed("the bread cooked the oven so"),
    NAMES,
    frozenset({1, 4}),
    "word",
)
STILL = replace(ORDERS, moved=frozenset())
ALL = frozenset(range(6))
BAG = Setting(2, "none", "bidirectional", sees_all=True)
MASKED = Setting(1, "none", "causal", sees_all=False)
TOLD = Setting(2, "rotary", "bidirectional", sees_all=True)


@each(
    ("setting", "changed", "right"),
    [
        (BAG, frozenset(), "none"),
        (TOLD, ALL, "all 6"),
        (MASKED, frozenset({1, 2, 3, 4, 5}), "*oven*, *cooked*, *the \\(4\\)*, *bread*, *so*"),
        (MASKED, frozenset({1, 2, 3, 4}), "*oven*, *cooked*, *the \\(4\\)*, *bread*"),
        (MASKED, frozenset({1, 4}), "*oven*, *bread*"),
    ],
)
def test_the_words_that_change_are_chosen(setting: Setting, changed: frozenset[int], right: str) -> None:
    asked = whole(words_that_change(ORDERS, setting, changed, 0.25))
    assert solution(asked) == right
    assert asked.text.startswith("*the oven cooked the bread so* becomes *the bread cooked the oven so*.")
    assert "differ by at most 0.25 in any dimension" in asked.because
    if not changed:
        assert "bag of words" in asked.because


def test_wrong_words_are_resolved_as_the_setting_has_it() -> None:
    bag = reasons(words_that_change(ORDERS, BAG, frozenset(), 0))
    assert "same word: nothing tells" in bag["*oven*, *bread*"]
    assert "nothing is before or after" in bag["*oven*, *cooked*, *the \\(4\\)*, *bread*, *so*"]
    told = reasons(words_that_change(ORDERS, TOLD, ALL, 1))
    assert told["none"] == "The rotary positions tell where a word stands."
    assert "attend to those that have moved" in told["*oven*, *bread*"]
    masked = reasons(words_that_change(ORDERS, MASKED, frozenset({1, 2, 3, 4}), 1))
    assert masked["none"].startswith("Even without positions a mask tells the order")
    assert "same beginning" in masked["all 6"]


def test_the_setting_is_named() -> None:
    asked = whole(words_that_change(ORDERS, MASKED, ALL, 1))
    assert "A model of 1 layer has no positions and the causal mask." in asked.text
    asked = whole(words_that_change(ORDERS, TOLD, frozenset({3}), 1))
    assert "A model of 2 layers has rotary positions" in asked.text
    assert "1 of 6 outputs differs by more" in asked.because


def test_many_words_are_counted() -> None:
    many = replace(ORDERS, names=tuple(Typed(f"w{at}") for at in range(256)), moved=frozenset(range(100)))
    asked = whole(words_that_change(many, MASKED, frozenset(range(1, 200)), 1))
    assert solution(asked) == "*w1*, *w2*, *w3*, *w4*, *w5* and 194 more"


def test_one_and_the_same_order_is_not_asked_about() -> None:
    assert words_that_change(STILL, BAG, frozenset(), 0) is None
    assert agreeing_after_one_layer(STILL, range(6)) is None
    assert agreeing_after_two_layers(STILL, ALL, ALL) is None


def test_words_that_look_like_others_when_counted_are_not_asked_about() -> None:
    many = replace(ORDERS, names=tuple(Typed(f"w{at}") for at in range(20)), moved=frozenset(range(1, 10)))
    changed = frozenset({1, 2, 3, 4, 5, 11, 12, 13, 14})
    assert many.named(changed) == many.named(many.moved)
    assert words_that_change(many, MASKED, changed, 1) is None


def test_a_reason_is_said_only_if_it_is_one() -> None:
    fewer = reasons(words_that_change(ORDERS, MASKED, frozenset({1}), 1))
    assert fewer["*oven*, *bread*"] == "", "no other word attends to those that have moved"


def test_what_one_causal_layer_cannot_tell_is_counted() -> None:
    asked = whole(agreeing_after_one_layer(ORDERS, [0, 5]))
    assert solution(asked) == "2"
    assert mistaken(asked) == [6, 4]
    assert asked.because.startswith("*the \\(1\\)*, *so*: an output is the same")
    none = whole(agreeing_after_one_layer(ORDERS, []))
    assert mistaken(none) == [6, 4]
    assert none.because.startswith("None: ")
    assert mistaken(agreeing_after_one_layer(ORDERS, [0, 1, 2, 5])) == [6]
    assert agreeing_after_one_layer(ORDERS, range(6)) is None


def test_two_causal_layers_tell_more_than_one() -> None:
    asked = whole(agreeing_after_two_layers(ORDERS, frozenset({0, 5}), frozenset({0})))
    assert solution(asked) == "*the \\(1\\)*"
    assert "So it is after one layer" in reasons(asked)["*the \\(1\\)*, *so*"]
    assert set(reasons(asked)) == {"none", "*the \\(1\\)*", "*the \\(1\\)*, *so*", "all 6"}
    both = agreeing_after_two_layers(ORDERS, frozenset(), frozenset())
    assert solution(whole(both)) == "none"


MASKS = ("bidirectional", "prefix", "causal")


def test_a_wrong_share_is_resolved_by_the_answers_of_the_model() -> None:
    asked = right_without_positions("causal", Replies(132, 26))
    assert solution(asked) == "52 %"
    assert mistaken(asked) == [0, 100]
    assert any("In 113 of 128 pairs at least one of its answers is wrong" in said for said in texts(asked))
    assert mistaken(right_without_positions("causal", Replies(230, 110))) == [50, 0, 100]


@each(
    ("replies", "because"),
    [
        (Replies(128, 0), "It gives both orders the same answer in all 128 pairs, which is right for one of"),
        (
            Replies(132, 26),
            "Its answers to the two orders differ in 26 of 128 pairs, and both are right in 15",
        ),
        (
            Replies(90, 60),
            "Its answers to the two orders differ in 60 of 128 pairs, and both are right in 11",
        ),
        (
            Replies(128, 64),
            "Its answers to the two orders differ in 64 of 128 pairs, and both are right in 32",
        ),
        (
            Replies(256, 128),
            "Its answers to the two orders differ in 128 of 128 pairs, and both are right in",
        ),
    ],
)
def test_one_answer_is_the_reason_only_if_all_pairs_get_one(replies: Replies, because: str) -> None:
    asked = right_without_positions("causal", replies)
    assert asked.because.startswith(because)
    assert ("right for one of the two" in asked.because) == (replies.n_differing == 0)


@pytest.mark.parametrize(
    "switches", [{}, {"mask": "causal"}, {"positions": "rotary"}, {"mask": "causal", "layers": 1}]
)
def test_the_words_asked_about_are_those_measured(switches: dict[str, str | int]) -> None:
    asked = Asked("order-invariance", **switches)
    changed = []
    for at, name in enumerate(("the \\(1\\)", "oven", "cooked", "the \\(4\\)", "bread", "so"), start=1):
        is_same = "the same output in both orders" in Asked("order-invariance", word=at, **switches).prose
        changed += [] if is_same else [f"*{name}*"]
    expected = {0: "none", 6: "all 6"}.get(len(changed), ", ".join(changed))
    assert solution(asked.questions[0]) == expected


def test_the_words_that_two_layers_cannot_tell_are_those_said() -> None:
    page = Asked("order-invariance", view="every setting")
    (asked,) = page.questions
    assert solution(asked) == "*the \\(1\\)*"
    assert "two layers those words must also stand in the same order: here *the* (1)" in page.prose


def test_the_share_asked_for_is_the_one_said() -> None:
    asked = Asked("order-invariance", view="who did what to whom")
    shares = [solution(question) for question in asked.questions]
    assert shares == ["50 %", "52 %"]
    assert "*bidirectional* 50 %" in asked.prose
    assert "*causal* 52 %" in asked.prose
