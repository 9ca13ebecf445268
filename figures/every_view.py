"""All views of all pages, and their links as they open."""

from collections.abc import Iterator
from importlib import import_module
from itertools import chain
from urllib.parse import urlencode

from pages import GROUPS, Entry
from pages.contract.view import Page


def views() -> Iterator[tuple[Entry, str]]:
    """Yield each view of each page by its name, in the order of the navigation."""
    for entry in chain.from_iterable(GROUPS.values()):
        page = import_module(f"pages.{entry.folder}").PAGE
        assert isinstance(page, Page), "every page has a PAGE"
        yield from ((entry, view) for view in page.views)


def every_view() -> list[str]:
    """Return a link to each view."""
    return [f"/{entry.address}?{urlencode({'view': view})}" for entry, view in views()]
