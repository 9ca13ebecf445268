"""Free words: phones may send only words, and the hall sees only words that the lecturer has approved."""

from typing import Any

import pytest

from rooms.free_words import LONGEST_ANSWER, MOST_LISTED, MOST_WORDS, approved_alone, counted_words
from rooms.replies import ReplyError, checked_reply, without_solution
from tests.covering import each
from tests.rooms.questions import WORDS


@each(
    ("given", "kept"),
    [
        *(("tea", "tea"), ("  hot \n tea ", "hot tea"), ("ｔｅａ", "tea"), ("été", "été"), ("42", "42")),
        ("te\u0000a\u202e\u200b\u2066", "tea"),
        ("<b>tea</b>", "<b>tea</b>"),
        ("日本", "日本"),
        ("e\u0301te\u0301", "été"),
    ],
)
def test_a_word_is_kept_without_invisible_characters(given: str, kept: str) -> None:
    assert checked_reply(WORDS, given) == kept


@each(
    "given",
    [
        *("", "   ", "\u200b\u202e", "!?", "a b c d", "x" * (LONGEST_ANSWER + 1), "x" * 1_000_000),
        *("h" + "\u0336" * 3, "o" + "\u0300\u0301\u0302\u0303" * 5, "\ud83d"),
        *(None, True, 1, 0.5, [], ["tea"], {"word": "tea"}),
    ],
)
def test_text_that_is_not_a_word_is_refused(given: Any) -> None:
    with pytest.raises(ReplyError, match="expected "):
        checked_reply(WORDS, given)


def test_words_are_counted_without_regard_to_case_the_most_frequent_first() -> None:
    assert counted_words(["Tea", "tea", "hot", "tea", "HOT", "is"]) == [
        {"word": "tea", "count": 3},
        {"word": "hot", "count": 2},
        {"word": "is", "count": 1},
    ]


@each(
    ("given", "spelled"),
    [
        (["MEMORY", "memory"], "memory"),
        (["MEMORY", "Memory"], "Memory"),
        (["MEMORY", "MEMORY", "memory"], "MEMORY"),
        (["Tea", "tea", "tea", "TEA"], "tea"),
    ],
)
def test_a_word_has_its_most_frequent_spelling_or_lower_case(given: list[str], spelled: str) -> None:
    assert counted_words(given) == [{"word": spelled, "count": len(given)}]


def test_a_phone_knows_the_limit_before_it_answers() -> None:
    asked = without_solution(WORDS)
    assert (asked["longest"], asked["most_words"]) == (LONGEST_ANSWER, MOST_WORDS)


def test_a_flood_of_different_words_leaves_the_frequent_ones() -> None:
    listed = counted_words([*(f"word {at}" for at in range(2000)), "tea", "tea"])
    assert len(listed) == MOST_LISTED
    assert listed[0] == {"word": "tea", "count": 2}


def test_unapproved_words_are_only_counted() -> None:
    answers = ["tea", "Tea", "rude", "ruder"]
    assert approved_alone(answers, []) == {"words": [], "hidden": 4}
    shown = approved_alone(answers, ["tea", "never given"])
    assert shown == {"words": [{"word": "tea", "count": 2}], "hidden": 2}
    assert "rude" not in str(shown)
