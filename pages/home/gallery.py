"""All views as tiles, in the order of the menus, and the search among them."""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import NamedTuple

from pages import EXAM, GROUPS, HOME, LECTURE, Entry
from pages.contract.prose import Typed
from pages.contract.sheet import Controls, Part, Text, Tile, Tiles
from pages.contract.view import Page
from pages.data.links import Link
from pages.home.pictures import address_of
from pages.home.search import matches, phrases_of, sentences_about
from pages.syllabus.concepts import CONCEPTS

WANTED = "wanted"
"""The parameter that has what is searched for, and the spot of its box."""


class Exhibit(NamedTuple):
    """A view of a page, what the page asks and what it asks itself, and the concepts that lead to it.

    `reads` says whether it has a box for a sentence.
    """

    entry: Entry
    name: str
    of_page: str
    question: str
    concepts: tuple[str, ...]
    reads: bool

    def is_called(self, wanted: str) -> bool:
        """Return whether the names of the view and its page have what is searched for."""
        return matches(wanted, (self.entry.title, self.name))

    def matches(self, wanted: str) -> bool:
        """Return whether the view has what is searched for in its names, controls, concepts or terms."""
        taught = (CONCEPTS[number].title for number in self.concepts)
        called = (self.entry.title, self.name, self.of_page, self.question)
        return matches(wanted, (*called, *taught, *phrases_of(self.entry, self.name)))

    def is_about(self, wanted: str) -> bool:
        """Return whether the glossary or the path uses what is searched for in its sentences on the view."""
        return matches(wanted, sentences_about(self.entry, self.name))


@cache
def exhibits() -> tuple[Exhibit, ...]:
    """Every view but this home, in the order of the menus."""
    return tuple(_exhibits())


def exhibit_of(link: Link) -> Exhibit:
    """Return the view that a link names."""
    return next(one for one in exhibits() if (one.entry.address, one.name) == (link.address, link.view))


def _exhibits() -> Iterator[Exhibit]:
    for entry in (entry for entries in GROUPS.values() for entry in entries if entry != HOME):
        page: Page = import_module(f"pages.{entry.folder}").PAGE
        first = next(iter(page.views))
        for name, view in page.views.items():
            taught = tuple(
                number for number in CONCEPTS if _teaches(number, entry, name, is_first=name == first)
            )
            yield Exhibit(entry, name, page.question, view.question, taught, bool(view.sentence))


def _teaches(number: str, entry: Entry, view: str, *, is_first: bool) -> bool:
    """Whether a concept has a link to a view; one that names none opens the first."""
    links = [link for link in CONCEPTS[number].links if link.address == entry.address]
    return any(link.parameters.get("view", view if is_first else "") == view for link in links)


def found_for(wanted: str) -> list[Exhibit]:
    """Return the views for what is searched for, those with it in their names first."""
    found = _found(wanted)
    return sorted(found, key=lambda one: not one.is_called(wanted))


def _found(wanted: str) -> list[Exhibit]:
    """Return the views for what is searched for, or else those of which the glossary or the path says it."""
    found = [one for one in exhibits() if one.matches(wanted)]
    return found or [one for one in exhibits() if one.is_about(wanted)]


def gallery(wanted: str, theme: str) -> tuple[Part, ...]:
    """The box, and below it the views that are wanted, those of a page together, as they look in a theme.

    The exam and the lectures have their tiles above: they are listed if somebody searches for them.
    """
    found = [one for one in _found(wanted) if wanted or one.entry not in (EXAM, LECTURE)]
    if not found:
        nothing = (
            f"*{Typed(wanted):80}* is not among the names, controls, concepts and terms of the views. Try "
            "another word for it, or look into the [Glossary](/glossary)."
        )
        return (Controls(WANTED), Text(nothing, "info"))
    pages = dict.fromkeys((one.entry, f"{one.entry.title}: {one.of_page}") for one in found)
    groups = (
        Tiles(tuple(_tile(one, theme) for one in found if one.entry == entry), title=title)
        for entry, title in pages
    )
    return (Controls(WANTED), *groups)


def _tile(one: Exhibit, theme: str) -> Tile:
    path = Link("", one.entry.address, {"view": one.name}).path
    taught = [CONCEPTS[number].title for number in one.concepts]
    return Tile(
        one.name, one.question, path, " · ".join(taught), address_of(one.entry.folder, one.name, theme)
    )
