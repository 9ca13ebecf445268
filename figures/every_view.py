"""The links of all views, as they open."""

from importlib import import_module
from itertools import chain
from urllib.parse import urlencode

from pages import GROUPS
from pages.shell.view import Page


def every_view() -> list[str]:
    """A link to each view of each page, in the order of the navigation."""
    entries = chain.from_iterable(GROUPS.values())
    return [
        f"/{entry.address}?{urlencode({'view': view})}"
        for entry in entries
        for view in _page(entry.folder).views
    ]


def _page(folder: str) -> Page:
    page = import_module(f"pages.{folder}").PAGE
    assert isinstance(page, Page), "every page has a PAGE"
    return page
