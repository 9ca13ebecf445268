"""Free words from phones: cleaned, and counted without regard to case."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

LONGEST_ANSWER = 30
"""The most characters of a free answer."""

MOST_WORDS = 3
"""The most words of a free answer."""

MOST_MARKS = 2
"""The most combining marks on one letter: more would cover the lines above and below."""

MOST_LISTED = 60
"""The most different answers that a lecturer can approve: the most frequent ones."""

_MARKS = re.compile(
    f"[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{{{MOST_MARKS + 1}}}"
)


class WordError(ValueError):
    """The text is no free answer; the message says what is expected."""


def cleaned(given: Any, *, longest: int = LONGEST_ANSWER) -> str:
    """Return an answer in words as it is kept. Raises WordError for anything else.

    Invisible characters are dropped: control characters, and characters that change the direction of text.
    """
    if not isinstance(given, str):
        raise WordError("expected a word")
    text = unicodedata.normalize("NFKC", given[: 20 * longest])
    text = " ".join(
        "".join(" " if one.isspace() else one for one in text if one.isspace() or _is_seen(one)).split()
    )
    if len(text) > longest or len(given) > 20 * longest:
        raise WordError(f"expected at most {longest} characters")
    if len(text.split()) > MOST_WORDS:
        raise WordError(f"expected at most {MOST_WORDS} words")
    if not any(one.isalnum() for one in text):
        raise WordError("expected a word with a letter or a number")
    if _MARKS.search(unicodedata.normalize("NFD", text)):
        raise WordError(f"expected at most {MOST_MARKS} marks on a letter")
    return text


def _is_seen(character: str) -> bool:
    """Return whether a character is drawn: no control or format character, surrogate or unassigned one."""
    return not unicodedata.category(character).startswith("C")


def counted_words(answers: Sequence[str]) -> list[dict[str, Any]]:
    """Return the most frequent answers with their counts; upper and lower case count as one answer.

    Each has its most frequent spelling; among equally frequent ones, lower case wins.
    """
    spellings: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for answer in answers:
        spellings[answer.casefold()][answer] += 1
    counts = {_usual_spelling(found): found.total() for found in spellings.values()}
    words = sorted(counts, key=lambda one: (-counts[one], one.casefold()))
    return [{"word": word, "count": counts[word]} for word in words[:MOST_LISTED]]


def _usual_spelling(found: Counter[str]) -> str:
    return min(found, key=lambda one: (-found[one], sum(map(str.isupper, one)), one))


def approved_alone(answers: Sequence[str], approved: Sequence[str]) -> dict[str, Any]:
    """Return the counts of the approved answers, and the number of all others."""
    shown = {one.casefold() for one in approved}
    listed = [one for one in counted_words(answers) if one["word"].casefold() in shown]
    return {"words": listed, "hidden": len(answers) - sum(one["count"] for one in listed)}
