"""Every view of every page, as the navigation leads to them."""

from importlib import import_module

from pages import ENTRIES
from pages.contract.view import Page


def page_in(folder: str) -> Page:
    """Return the page of this folder of `pages`."""
    page: Page = import_module(f"pages.{folder}").PAGE
    return page


PAGES = {entry.address: page_in(entry.folder) for entry in ENTRIES}
"""The page at each address."""
