"""Search among the views by names, questions, concepts, controls and terms, in students' words."""

import json
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from pages import Entry
from pages.data.links import Link
from pages.path.stops import STOPS
from pages.terms import TERMS

FILE = Path(__file__).with_name("controls.json")
"""Texts of the controls of each view, written by `python -m pages.home.controls`."""

_WORD = re.compile(r"\w+")


def words_in(text: str) -> list[str]:
    """Return the words of a text for comparisons: in lower case and in the singular."""
    return [_singular(word) for word in _WORD.findall(text.casefold().replace("_", " "))]


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def matches(wanted: str, phrases: Iterable[str]) -> bool:
    """Return whether each wanted word begins a word of the phrases, or together they are one of them."""
    asked, known = words_in(wanted), [words_in(phrase) for phrase in phrases]
    begins = {word for phrase in known for word in phrase}
    if begins_words_of(asked, begins):
        return True
    return "".join(asked) in {"".join(phrase) for phrase in known}


def begins_words_of(asked: Iterable[str], known: Iterable[str]) -> bool:
    """Return whether each word of a search begins one of the known words."""
    known = tuple(known)
    return all(any(word.startswith(one) for word in known) for one in asked)


def phrases_of(entry: Entry, view: str) -> tuple[str, ...]:
    """Return the labels and options of the controls of a view, and the terms that it shows."""
    shown = [term for term in TERMS.values() if (term.view.address, term.view.view) == (entry.address, view)]
    called = [name for term in shown for name in term.spellings]
    called += [name for term in shown for name in term.searched]
    return (*_controls().get(f"{entry.folder}/{view}", ()), *called)


def sentences_about(entry: Entry, view: str) -> tuple[str, ...]:
    """Return the sentences of the glossary and of the path that are about a view."""

    def leads_here(link: Link) -> bool:
        return (link.address, link.view or view) == (entry.address, view)

    terms = [term for term in TERMS.values() if leads_here(term.view)]
    stops = [stop for stop in STOPS if any(leads_here(one.link) for one in stop.views)]
    says = [one.says for stop in stops for one in stop.views if leads_here(one.link)]
    goals = [said for stop in stops for said in (stop.title, stop.goal, *stop.remember)]
    return (*goals, *says, *(said for term in terms for said in (term.sentence, term.reason)))


@cache
def _controls() -> dict[str, list[str]]:
    found: dict[str, list[str]] = json.loads(FILE.read_text("utf-8"))
    return found
