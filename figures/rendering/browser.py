"""The browser that draws: the system's Chromium without a window, cut off from the network."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import plotly
from playwright.sync_api import Browser, Error, Page, sync_playwright

from figures.rendering import fonts, formulas
from figures.rendering.job import Plot, Script

NAMES = (
    "chromium-headless-shell",  # Chromium without its own windows
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "msedge",
    "microsoft-edge",
)
"""Names of browsers on the `PATH`, the first ones preferred."""

ON_WINDOWS = (
    "Google/Chrome/Application/chrome.exe",
    "Chromium/Application/chrome.exe",
    "Microsoft/Edge/Application/msedge.exe",
)
PROGRAM_FOLDERS = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")
"""Windows' variables for the folders of programs; none of the browsers is on the `PATH` there."""

ON_MACOS = ("Google Chrome", "Chromium", "Microsoft Edge")
APPLICATIONS = ("/Applications", "~/Applications")

FLAGS = [
    "--disable-gpu",
    # Without a window Chromium would round the width of each letter to whole pixels.
    "--font-render-hinting=none",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Without positions of its functions Plotly is read a third faster.
    "--js-flags=--no-enable-lazy-source-positions",
    # A request to any host fails before it leaves the machine.
    "--host-resolver-rules=MAP * ~NOTFOUND",
]

PLOTLY = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
HERE = Path(__file__)
SCRIPTS = [HERE.with_name(name) for name in ("draw.js", "cells.js", "dots.js", "run.js", "formula.js")]
LETTERS = HERE.with_name("letters.js")

PATIENCE = 120_000
"""Milliseconds until a drawing is abandoned."""


def find() -> str | None:
    """Return the path of a Chromium on this machine, or of a browser built on it; None if there is none."""
    on_path = (shutil.which(name) for name in NAMES)
    installed = (str(path) for path in _places() if path.is_file())
    return next((path for path in (*on_path, *installed) if path), None)


def _places() -> Iterator[Path]:
    """Yield the files at which Windows and macOS keep browsers."""
    for variable in PROGRAM_FOLDERS:
        if folder := os.environ.get(variable):
            yield from (Path(folder, *name.split("/")) for name in ON_WINDOWS)
    for folder in APPLICATIONS:
        place = Path(os.path.expanduser(folder))
        yield from (place / f"{name}.app" / "Contents" / "MacOS" / name for name in ON_MACOS)


class Drawing:
    """A running browser with a page that draws and pages that turn an SVG into PNG or PDF."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._page = _page(browser)
        style = f"<style>{fonts.whole()} body {{ margin: 0; font-family: '{fonts.FAMILY}' }}</style>"
        # If the typeface were not in use from the start, Plotly would measure letters of another one.
        letters = (
            "<p style='font-weight:400'>a</p><p style='font-weight:600'>a</p><p style='font-weight:700'>a</p>"
        )
        self._page.set_content(f"<!doctype html><meta charset=utf-8>{style}{letters}<div id=stage></div>")
        self._page.evaluate("document.fonts.ready.then(() => undefined)")
        for script in (PLOTLY, *SCRIPTS):
            self._page.add_script_tag(path=script)
        self._printers: dict[int, Page] = {}

    def svg(self, drawn: Plot | Script) -> str:
        """Draw and return an SVG in the size that the drawing asks for."""
        made: str = self._page.evaluate("plot" if isinstance(drawn, Plot) else "run", vars(drawn))
        return made

    def typeset(self, latex: str, *, is_apart: bool = True, is_strict: bool = True) -> str:
        """Return a formula as HTML, on a separate line or in a line of text.

        If a formula is not LaTeX, a strict call raises Error, and another one shows its source.
        """
        given = {"script": formulas.script(), "latex": latex, "isApart": is_apart, "isStrict": is_strict}
        made: str = self._page.evaluate("typeset", given)
        return formulas.styled(made)

    def undrawn(self, characters: str) -> str:
        """Return the characters that no font of this machine has."""
        if not characters:
            return ""
        given = {"characters": list(characters), "font": fonts.STACK}
        missing: list[str] = self._page.evaluate("undrawn", given)
        return "".join(missing)

    def png(self, svg: str, width: float, height: float, scale: int) -> bytes:
        """Return a sheet as PNG, with `scale` dots a pixel."""
        page = self._with(svg, scale)
        page.set_viewport_size({"width": round(width), "height": round(height)})
        return page.screenshot(omit_background=True, type="png")

    def pdf(self, svg: str, width: float, height: float) -> bytes:
        """Return a sheet, or a page of HTML, as PDF of its size."""
        return self._with(svg, 1).pdf(
            width=f"{width}px", height=f"{height}px", print_background=True, page_ranges="1"
        )

    def letters(self, svg: str) -> list[list[dict[str, Any]] | None]:
        """Return the place of each letter of each text of a sheet, as `outlines.py` takes it."""
        places: list[list[dict[str, Any]] | None] = self._with(svg, 1).evaluate(LETTERS.read_text("utf-8"))
        return places

    def _with(self, svg: str, scale: int) -> Page:
        if scale not in self._printers:
            # A sheet is a picture: no script in it runs.
            self._printers[scale] = _page(self._browser, device_scale_factor=scale, java_script_enabled=False)
        page = self._printers[scale]
        style = "<style>@page { margin: 0 } body { margin: 0 } svg { display: block }</style>"
        page.set_content(f"<!doctype html><meta charset=utf-8>{style}{svg}")
        page.evaluate("document.fonts.ready.then(() => undefined)")
        return page


@contextmanager
def launched(path: str) -> Iterator[Drawing]:
    """Yield the browser at `path`, in its sandbox if the system allows one; it ends with the block."""
    with sync_playwright() as playwright:
        launch = partial(playwright.chromium.launch, executable_path=path, args=FLAGS)
        try:
            browser = launch(chromium_sandbox=True)
        except Error:
            browser = launch()
        with browser:
            yield Drawing(browser)


def _page(browser: Browser, **given: Any) -> Page:
    """Return a page that aborts every request, also for local files."""
    page = browser.new_page(**given)
    page.set_default_timeout(PATIENCE)
    page.route("**/*", lambda route: route.abort())
    return page
