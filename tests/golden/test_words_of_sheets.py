"""Sentences of every kept sheet: short headlines, no digits of rounding, and *all* instead of n of n."""

import re
from pathlib import Path

import pytest

SHEETS = sorted((Path(__file__).parent / "__snapshots__" / "test_sheets").glob("*.txt"))

MOST_WORDS = 30
"""Words of the longest headline; a quoted text counts as one."""

ROUNDING = re.compile(r"10⁻(?:[6-9]|⁶|⁷|⁸|⁹|[¹²³]\S)")
"""A power of ten so small that its digits say no more than *almost 0*."""

ALL = re.compile(r"\b(\d+) of (?:all |these |the )?\1 [a-z]")
"""A number of things out of as many, such as `5 of 5 words`."""

NOT_SENTENCES = ("> ", "?", "[", "|", "\\", "#")
"""Beginnings of lines that are links, questions, pictures, tables, formulas and headings."""


def headlines(text: str) -> list[str]:
    """Return the headline of each sheet: the line after its title."""
    lines = text.splitlines()
    return [
        lines[at + 1]
        for at, line in enumerate(lines[:-1])
        if line.startswith("# ") and lines[at + 1].startswith("**")
    ]


def sentences(text: str) -> list[str]:
    return [line for line in text.splitlines() if line and not line.startswith(NOT_SENTENCES)]


def n_words(headline: str) -> int:
    """Return the number of words with a letter or a digit; text in asterisks is one word."""
    quoted = re.sub(r"(?<!\*)\*[^*]+\*(?!\*)", "quoted", headline.strip("*"))
    return sum(bool(re.search(r"\w", word)) for word in quoted.split())


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.stem)
def test_a_headline_is_short(sheet: Path) -> None:
    long = {line for line in headlines(sheet.read_text("utf-8")) if n_words(line) > MOST_WORDS}
    assert long == set()


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.stem)
def test_no_mark_is_called_black_or_white(sheet: Path) -> None:
    """Such a mark has the other colour in the other theme."""
    text = sheet.read_text("utf-8")
    assert re.findall(r"\b(?:black|white) (?:lines?|bars?|ticks?|cells?|gaps?)\b", text) == []


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.stem)
def test_a_headline_has_no_digits_of_rounding(sheet: Path) -> None:
    assert {line for line in headlines(sheet.read_text("utf-8")) if ROUNDING.search(line)} == set()


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.stem)
def test_n_of_n_is_written_as_all(sheet: Path) -> None:
    assert {line[:200] for line in sentences(sheet.read_text("utf-8")) if ALL.search(line)} == set()


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.stem)
def test_a_sentence_begins_with_its_subject(sheet: Path) -> None:
    inverted = re.compile(r"(?:^|[.:!?] )(?:Drawn|Shown|Said|Held out) (?:is|are|in)\b")
    assert {line[:200] for line in sentences(sheet.read_text("utf-8")) if inverted.search(line)} == set()


def test_a_long_headline_would_be_found() -> None:
    assert n_words("**In *a b c* there is 5 %.**") == 5
    assert ROUNDING.search("1.3·10⁻¹⁷")
    assert ROUNDING.search("2·10⁻⁶")
    assert not ROUNDING.search("6.2·10⁻⁴")
    assert ALL.search("aligns **5 of 5 content words**")
    assert not ALL.search("5 of 6 words")


def test_headlines_are_found() -> None:
    assert sum(len(headlines(sheet.read_text("utf-8"))) for sheet in SHEETS) > len(SHEETS)
