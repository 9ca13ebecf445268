"""Takes the small pictures of the home's gallery: the first picture of every view, in both themes.

A view that shows none before a button is pressed has none there.
"""

import sys
from io import BytesIO

from PIL import Image
from playwright.sync_api import Locator

from pages import GROUPS, HOME, Entry
from pages.controls.files import GALLERY
from pages.home.pictures import file_of
from tests.browser import chromium
from tests.browser.server import serving
from tests.browser.visitor import Theme, Visitor
from tests.views import page_in

LARGEST = (480, 270)
"""Pixels of a small picture: twice those of its tile, for dense screens."""

PICTURES = (
    ".equation, [data-testid=stPlotlyChart], "
    "[data-testid=stBidiComponentRegular]:not(:has(.equation)), [data-testid=stBidiComponentIsolated]"
)
"""What a view may show first; what is small is no picture but a gesture or a control."""

OPENED = {"one head": {"stage": "softmax"}}
"""Views that show more elsewhere than where they open."""

LISTS = {HOME.folder, "lecture"}
"""Pages that show what others show, and what a visitor has collected of it."""

LEAST = 120
"""Pixels of width and height of what counts as a picture."""

THEMES: tuple[Theme, ...] = ("light", "dark")


def main() -> None:
    """Write all of them anew."""
    path = chromium.find()
    if path is None:
        sys.exit(f"The gallery needs one of {', '.join(chromium.NAMES)} on the PATH.")
    GALLERY.mkdir(parents=True, exist_ok=True)
    for former in GALLERY.glob("*.webp"):
        former.unlink()
    with chromium.launched(path) as browser, serving() as server:
        for theme in THEMES:
            visitor = Visitor(browser, server, theme=theme, viewport=(1100, 1000))
            for entry in (one for entries in GROUPS.values() for one in entries if one.folder not in LISTS):
                for view in page_in(entry.folder).views:
                    _take(visitor, entry, view, theme)
            visitor.check()


def _take(visitor: Visitor, entry: Entry, view: str, theme: Theme) -> None:
    """Write the picture of a view, if it shows one."""
    visitor.open(f"/{entry.address}", view=view, **OPENED.get(view, {}))
    if found := _first_picture(visitor):
        with Image.open(BytesIO(found.screenshot())) as picture:
            small = picture.convert("RGB")
            small.thumbnail(LARGEST, Image.Resampling.LANCZOS)
            small.save(file_of(entry.folder, view, theme), quality=80, method=6)


def _first_picture(visitor: Visitor) -> Locator | None:
    """The first that is large enough."""
    for one in visitor.page.get_by_test_id("stMain").locator(PICTURES).all():
        box = one.bounding_box()
        if box is not None and min(box["width"], box["height"]) >= LEAST:
            return one
    return None


if __name__ == "__main__":
    main()
