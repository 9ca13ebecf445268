"""The app, a browser, and somebody who visits the one with the other.

A journey asks for `visitor`, and chooses what it looks like by parametrizing `theme` or `viewport`:

    @pytest.mark.parametrize("theme", ["dark"])
    def test_a_longer_sentence_gives_a_larger_matrix(visitor):
        visitor.open("/explorer")
        visitor.type("Sentence", "the cat sat")
        ...
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import chromium, firefox
from tests.browser.server import Server, serving
from tests.browser.visitor import LONGEST, Theme, Viewport, Visitor, Window

expect.set_options(timeout=1000 * LONGEST)  # a busy machine is slower

collect_ignore = [] if firefox.find() else ["test_firefox.py"]
"""Firefox is optional: without it these tests are not collected, because CI refuses skipped tests."""

SCREENSHOTS = Path(__file__).with_name("screenshots")
FAILED = pytest.StashKey[bool]()


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """The system's Chromium; without it the test is skipped."""
    path = chromium.find()
    if path is None:
        pytest.skip(f"no Chromium: install one of {', '.join(chromium.NAMES)}, so that it is on the PATH")
    with chromium.launched(path, chromium.BRIEF) as browser:
        yield browser


@pytest.fixture(scope="package")
def app(browser: Browser) -> Iterator[Server]:
    """The app as `make run` serves it. It depends on the browser, so it does not start without one."""
    with serving() as server:
        yield server


@pytest.fixture(scope="package")
def windows() -> list[Window]:
    """The window that visits share, if there is one; a visit that went wrong leaves none behind."""
    return []


@pytest.fixture
def theme() -> Theme:
    """The theme the visitor's system asks for."""
    return "light"


@pytest.fixture
def viewport() -> Viewport:
    """Width and height of the visitor's window in pixels."""
    return (1400, 900)


@pytest.fixture
def visitor(
    request: pytest.FixtureRequest,
    browser: Browser,
    app: Server,
    windows: list[Window],
    theme: Theme,
    viewport: Viewport,
) -> Iterator[Visitor]:
    """A visitor of the app; its problems are checked at the end."""
    app.check()
    visitor = Visitor(browser, app, theme=theme, viewport=viewport, window=_shared(windows, browser))
    yield visitor
    if request.node.stash.get(FAILED, False) or visitor.problems:
        _keep_screenshot(request.node, visitor)
        _close(windows)
    else:
        visitor.leave()
    visitor.check()


def _shared(windows: list[Window], browser: Browser) -> Window:
    if not windows:
        windows.append(Window(browser))
    return windows[0]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Remember whether the test itself failed, so that its fixtures can act on it."""
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


def _close(windows: list[Window]) -> None:
    while windows:
        windows.pop().close()


def _keep_screenshot(test: Any, visitor: Visitor) -> None:
    name = re.sub(r"\W+", "-", test.name).strip("-")
    visitor.screenshot(SCREENSHOTS / f"{name}.png")
