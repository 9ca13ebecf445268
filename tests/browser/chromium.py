"""The system's Chromium: its place, and how it starts so that it connects to this machine only."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Playwright, sync_playwright

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first is Chromium without its own windows: the same pages for a fifth less work."""

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--in-process-gpu",  # drawing without a graphics card needs no GPU process
    # Letters are as wide as the typeface says: without windows Chromium would round each to whole pixels.
    "--font-render-hinting=none",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Requests of a page or the browser to other hosts fail before they leave the machine.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost",
)


UNWATCHED = "--js-flags=--no-enable-lazy-source-positions"
"""While somebody watches, as Playwright does, a browser takes scripts apart a second time, for their lines.
That doubles the work of starting Plotly; in a visitor's browser it is not done."""

BRIEF = f"{UNWATCHED} --no-opt --no-maglev"
"""For pages that are soon left: to make their scripts quicker would take longer than is gained."""


def find() -> str | None:
    """Return the path of a Chromium on this machine, if there is one."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


_using: list[Playwright] = []
"""Playwright, once for each browser that is open: a process can have one of it at a time."""


@contextmanager
def _playwright() -> Iterator[Playwright]:
    """Yield the open Playwright, or a new one; the last user stops it."""
    one = _using[0] if _using else sync_playwright().start()
    _using.append(one)
    try:
        yield one
    finally:
        _using.pop()
        if not _using:
            one.stop()


@contextmanager
def launched(path: str, *flags: str) -> Iterator[Browser]:
    """Yield the browser at `path`, running without a window until the block is left."""
    with _playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=[*FLAGS, *flags])
        try:
            yield browser
        finally:
            browser.close()
