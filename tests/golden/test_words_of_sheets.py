"""Sentences of every kept sheet: short headlines, no digits of rounding, and *all* instead of n of n."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

SHEETS = sorted((Path(__file__).parent / "__snapshots__" / "test_sheets").glob("*.txt"))

MOST_WORDS = 30
"""Words of the longest headline; a quoted text counts as one."""

ROUNDING = re.compile(r"10⁻(?:[6-9]|⁶|⁷|⁸|⁹|[¹²³]\S)")
"""A power of ten so small that its digits say no more than *almost 0*."""

ALL = re.compile(r"\b(\d+) of (?:all |these |the )?\1 [a-z]")
"""A number of things out of as many, such as `5 of 5 words`."""

OF_A_THEME = re.compile(r"\b(?:black|white) (?:lines?|bars?|ticks?|cells?|gaps?)\b")
"""A mark by a colour that it has in one theme and not in the other."""

INVERTED = re.compile(r"(?:^|[.:!?] )(?:Drawn|Shown|Said|Held out) (?:is|are|in)\b")
"""A sentence that does not begin with its subject."""

NOT_SENTENCES = ("> ", "?", "[", "|", "\\", "#")
"""Beginnings of lines that are links, questions, pictures, tables, formulas and headings."""


def headlines() -> Iterator[str]:
    """Yield the headline of each sheet: the line after its title."""
    for sheet in SHEETS:
        lines = sheet.read_text("utf-8").splitlines()
        for at, line in enumerate(lines[:-1]):
            if line.startswith("# ") and lines[at + 1].startswith("**"):
                yield lines[at + 1]


def n_words(headline: str) -> int:
    """Return the number of words with a letter or a digit; text in asterisks is one word."""
    quoted = re.sub(r"(?<!\*)\*[^*]+\*(?!\*)", "quoted", headline.strip("*"))
    return sum(bool(re.search(r"\w", word)) for word in quoted.split())


def test_a_headline_is_short_and_has_no_digits_of_rounding() -> None:
    found = [*headlines()]
    assert len(found) > len(SHEETS)
    assert {line for line in found if n_words(line) > MOST_WORDS or ROUNDING.search(line)} == set()


@pytest.mark.parametrize("wrong", [ALL, INVERTED, OF_A_THEME], ids=["n of n", "inverted", "of a theme"])
def test_no_sentence_is_written_so(wrong: re.Pattern[str]) -> None:
    for sheet in SHEETS:
        lines = sheet.read_text("utf-8").splitlines()
        if wrong is not OF_A_THEME:
            lines = [line for line in lines if not line.startswith(NOT_SENTENCES)]
        assert {line[:200] for line in lines if wrong.search(line)} == set(), sheet.stem


def test_a_long_headline_would_be_found() -> None:
    assert n_words("**In *a b c* there is 5 %.**") == 5
    assert ROUNDING.search("1.3·10⁻¹⁷")
    assert ROUNDING.search("2·10⁻⁶")
    assert not ROUNDING.search("6.2·10⁻⁴")
    assert ALL.search("aligns **5 of 5 content words**")
    assert not ALL.search("5 of 6 words")
