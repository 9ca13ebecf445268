"""All views as tiles, in the order of the menus, with a search."""

from functools import cache
from typing import NamedTuple

from pages import ENTRIES, EXAM, HOME, LECTURE, Entry
from pages.contract.prose import Typed
from pages.contract.sheet import Controls, Part, Text, Tile, Tiles
from pages.contract.view import page_of
from pages.data.links import Link
from pages.home.pictures import address_of
from pages.home.search import matches, phrases_of, sentences_about
from pages.syllabus import CONCEPTS

WANTED = "wanted"
"""Parameter with the text of the search, and the spot of its box."""


class GalleryItem(NamedTuple):
    """A view of a page, the questions of both, its concepts, and whether it `reads` a sentence."""

    entry: Entry
    name: str
    of_page: str
    question: str
    concepts: tuple[str, ...]
    reads: bool

    def is_called(self, wanted: str) -> bool:
        """Return whether the names of the view and its page contain the text."""
        return matches(wanted, (self.entry.title, self.name))

    def matches(self, wanted: str) -> bool:
        """Return whether the names, controls, concepts or terms of the view contain the text."""
        taught = (CONCEPTS[number].title for number in self.concepts)
        called = (self.entry.title, self.name, self.of_page, self.question)
        return matches(wanted, (*called, *taught, *phrases_of(self.entry, self.name)))


@cache
def gallery_items() -> tuple[GalleryItem, ...]:
    """Return every view except the home, in the order of the menus."""
    found = []
    for entry in (entry for entry in ENTRIES if entry != HOME):
        page = page_of(entry)
        first = next(iter(page.views))
        for name, view in page.views.items():
            taught = tuple(at for at in CONCEPTS if _teaches(at, entry, name, is_first=name == first))
            found.append(GalleryItem(entry, name, page.question, view.question, taught, bool(view.sentence)))
    return tuple(found)


def gallery_item_of(link: Link) -> GalleryItem:
    """Return the view that a link names."""
    return next(one for one in gallery_items() if (one.entry.address, one.name) == (link.address, link.view))


def _teaches(number: str, entry: Entry, view: str, *, is_first: bool) -> bool:
    """Return whether a concept has a link to a view; a link without a view opens the first."""
    links = [link for link in CONCEPTS[number].links if link.address == entry.address]
    return any(link.parameters.get("view", view if is_first else "") == view for link in links)


def found_for(wanted: str) -> list[GalleryItem]:
    """Return the views for a search, those with the text in their names first."""
    found = _found(wanted)
    return sorted(found, key=lambda one: not one.is_called(wanted))


def _found(wanted: str) -> list[GalleryItem]:
    """Return the views for a search, or else those with the text in the glossary or the path."""
    views = gallery_items()
    found = [one for one in views if one.matches(wanted)]
    return found or [one for one in views if matches(wanted, sentences_about(one.entry, one.name))]


def gallery(wanted: str, theme: str) -> tuple[Part, ...]:
    """Return the search box, and below it the views found, page by page, in a theme."""
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


def _tile(one: GalleryItem, theme: str) -> Tile:
    path = Link("", one.entry.address, {"view": one.name}).path
    taught = [CONCEPTS[number].title for number in one.concepts]
    return Tile(
        one.name, one.question, path, " · ".join(taught), address_of(one.entry.folder, one.name, theme)
    )
