"""Every view of every page, as the navigation leads to them."""

import re
from importlib import import_module
from itertools import chain
from pathlib import Path

import pages
from pages import GROUPS
from pages.shell import Page


def page_at(file: str) -> Page:
    """The page that this file of the folder `pages` shows."""
    source = (Path(pages.__file__).parent / file).read_text("utf-8")
    (folder,) = re.findall(r"from (pages\.\w+_views) import PAGE", source)
    page: Page = import_module(folder).PAGE
    return page


PAGES = {entry.address: page_at(entry.file) for entry in chain.from_iterable(GROUPS.values())}
"""The page at each address."""
