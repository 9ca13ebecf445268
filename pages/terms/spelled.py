"""Search for terms in prose: every spelling, also in the plural and at the beginning of a sentence."""

import re
from functools import cache, lru_cache

from pages.terms import TERMS
from pages.terms.term import Term

BEFORE, AFTER = r"(?<![\w–\-\\/.])", r"(?![\w\-–/]|\.\w)"
"""Neighbours with which a term would be part of a longer word, a number or an address."""


def pattern(spelling: str) -> str:
    """Return a regular expression for one spelling."""
    body, plural = spelling, "s?" if spelling[-1].isalpha() else ""
    if re.search("[^aeiou]y$", spelling):
        body, plural = spelling[:-1], "(?:y|ies)"
    elif re.search("(s|x|ch|sh)$", spelling):
        plural = "(?:es)?"
    first = re.escape(body[0])
    if body[0].islower():
        first = f"[{body[0]}{body[0].upper()}]"
    return first + re.escape(body[1:]) + plural


@cache
def every_spelling() -> re.Pattern[str]:
    """Return a pattern of all spellings of all terms; of those that begin alike, the longest comes first."""
    spellings = (spelling for term in TERMS.values() for spelling in term.spellings)
    either = "|".join(map(pattern, sorted(spellings, key=len, reverse=True)))
    return re.compile(f"{BEFORE}(?:{either}){AFTER}")


@lru_cache(maxsize=1024)
def term_of(text: str) -> Term | None:
    """Return the term with this spelling; None if there is none."""
    if every_spelling().fullmatch(text) is None:
        return None
    called = ((term, spelling) for term in TERMS.values() for spelling in term.spellings)
    return next(term for term, spelling in called if re.fullmatch(pattern(spelling), text))
