"""Checks of the lines of text on a sheet: outside it, on each other, or too small."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page

from tests.browser.chromium import launched

LEGIBLE = Path(__file__).with_name("legible.js").read_text("utf-8")


class Checker:
    """A page of a browser that checks sheets."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def found(self, svg: bytes, least_type: float) -> list[str]:
        """Return the problems in words; empty if there are none."""
        style = "<style>body { margin: 0 } svg { display: block }</style>"
        self._page.set_content(f"<!doctype html><meta charset=utf-8>{style}{svg.decode()}")
        self._page.evaluate("document.fonts.ready.then(() => undefined)")
        wrong: list[str] = self._page.evaluate(f"({LEGIBLE})({least_type})")
        return wrong


@contextmanager
def checker(path: str) -> Iterator[Checker]:
    """Yield a checker in the browser at `path`, until the block is left."""
    with launched(path) as browser:
        yield Checker(browser.new_page(viewport={"width": 1400, "height": 1000}))
