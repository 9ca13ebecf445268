"""Typed text in a sentence of the page: its characters appear as typed, never as markup."""

import re

from pages.contract.prose import JOINER, LONGEST_QUOTE, literal, set_off, unbroken
from tests.covering import each

MARKUP = (
    "plain",
    "<b>bold</b>",
    "<img src=x onerror=alert(1)>",
    "[x](http://evil)",
    "![](http://evil/pixel.png)",
    "<http://evil>",
    "$x^2$",
    ":smile: :streamlit: :material/link:",
    ":red[x] :blue-background[x] :small[x] :green-badge[x]",
    "**bold** __bold__ *slant* _slant_ ~~gone~~",
    "`code`",
    "# heading",
    "- item",
    "1. item",
    "> quote",
    "a|b",
    "\\",
    "\\*",
    "&lt;b&gt;",
    "http://evil www.evil.com",
    "me@evil.com",
    "a -> b <- c -- d >= e <= f ~= g <-> h",
)

ESCAPED = re.compile(rf"{JOINER}?\\([!-/:-@\[-`{{-~])")
"""A sign that markdown leaves alone because of the backslash before it."""

REPLACED = re.compile(r"->|<-|--|[<>~]=|//|www\.|\w@\w|:\w+:")
"""Texts that Streamlit turns into arrows, dashes, addresses and pictures, even if they are escaped."""


def seen(markdown: str) -> str:
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", markdown)


@each("text", MARKUP)
def test_text_is_shown_as_typed_and_every_sign_that_could_be_markup_is_escaped(text: str) -> None:
    shown = literal(text)
    assert seen(shown).replace(JOINER, "") == text
    assert re.sub(r"[\w\s]", "", ESCAPED.sub("", shown)) == ""
    assert not REPLACED.search(seen(shown)), "Streamlit replaces this although it is escaped"


@each("text", ["a\r\nb", "tab\tbed", "a\u2028b", "  wide   space "])
def test_it_stays_on_one_line(text: str) -> None:
    assert literal(text) == " ".join(text.split())


@each("text", ["blåbær", "猫がいた", "1000 — no"])
def test_letters_and_signs_of_any_script_are_left_alone(text: str) -> None:
    assert literal(text) == text


@each("surplus", [0, 1, 5000])
def test_long_text_is_cut_with_an_ellipsis(surplus: int) -> None:
    shown = literal("a" * (LONGEST_QUOTE + surplus))

    assert len(shown) == LONGEST_QUOTE
    assert shown.endswith("…") == (surplus > 0)


def test_where_to_cut_is_the_callers_choice() -> None:
    assert literal("abcdefgh", longest=5) == "abcd…"


def test_no_line_begins_with_a_sign_of_per_cent() -> None:
    assert unbroken("26 % of 50 %.") == "26\u00a0% of 50\u00a0%."


@each(
    ("word", "style", "said"),
    [
        ("tea", "*", "*tea*"),
        ("tea", "**", "**tea**"),
        (".", "*", f"“{JOINER}\\.”"),
        ("s.", "*", f"*s{JOINER}\\.*"),
    ],
)
def test_a_sign_that_a_sentence_names_stands_between_quotation_marks(
    word: str, style: str, said: str
) -> None:
    assert set_off(word, style=style) == said
