"""The app, a browser, and somebody who visits the one with the other.

A journey asks for `visitor`, and chooses what it looks like by parametrizing `theme` or `viewport`:

    @pytest.mark.parametrize("theme", ["dark"])
    def test_a_longer_sentence_gives_a_larger_matrix(visitor):
        visitor.open("/", view="matrix")
        visitor.type("Sentence", "the cat sat")
        ...
"""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser import chromium
from tests.browser.server import Server, serving
from tests.browser.visitor import Theme, Viewport, Visitor

SCREENSHOTS = Path(__file__).with_name("screenshots")
FAILED = pytest.StashKey[bool]()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's Chromium; where there is none the test is skipped, but on a CI machine it fails."""
    path = chromium.find()
    if path is None:
        reason = f"no Chromium: none of {', '.join(chromium.NAMES)} is on the PATH"
        if os.environ.get("CI") == "true":
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)
    with chromium.launched(path) as browser:
        yield browser


@pytest.fixture(scope="session")
def app(browser: Browser) -> Iterator[Server]:
    """The app as `make run` serves it. It depends on the browser so as not to start where there is none."""
    with serving() as server:
        yield server


@pytest.fixture
def theme() -> Theme:
    """The theme the visitor's system asks for."""
    return "light"


@pytest.fixture
def viewport() -> Viewport:
    """Width and height of the visitor's window in pixels."""
    return (1400, 900)


@pytest.fixture
def visitors(
    request: pytest.FixtureRequest, browser: Browser, app: Server, theme: Theme, viewport: Viewport
) -> Iterator[Callable[[], Visitor]]:
    """Makes visitors, each in a fresh browser, for journeys of more than one; all are checked at the end."""
    app.check()
    with ExitStack() as visits:
        present: list[Visitor] = []

        def arrive() -> Visitor:
            visitor = Visitor(browser, app, theme=theme, viewport=viewport)
            visits.callback(visitor.leave)
            present.append(visitor)
            return visitor

        yield arrive
        _keep_screenshots(request.node, present)
        for visitor in present:
            visitor.check()


@pytest.fixture
def visitor(visitors: Callable[[], Visitor]) -> Visitor:
    """Somebody who has just started a browser and opened nothing yet."""
    return visitors()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Remember whether the test itself failed, so that its fixtures can act on it."""
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


def _keep_screenshots(test: Any, visitors: list[Visitor]) -> None:
    if not (test.stash.get(FAILED, False) or any(visitor.problems for visitor in visitors)):
        return
    name = re.sub(r"\W+", "-", test.name).strip("-")
    for i, visitor in enumerate(visitors, start=1):
        visitor.screenshot(SCREENSHOTS / f"{name}-{i}.png")
