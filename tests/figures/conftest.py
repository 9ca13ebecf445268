"""Who draws: the real exporter, started once where Chromium is, and one that gives what it is told to."""

from collections.abc import Iterator

import pytest

from figures.rendering import browser
from figures.rendering.exporter import Exporter
from tests.figures.made_up import MadeUp


@pytest.fixture(scope="session")
def exporter() -> Iterator[Exporter]:
    """One that draws; where there is no Chromium the test is skipped."""
    if browser.find() is None:
        pytest.skip(f"no Chromium: install one of {', '.join(browser.NAMES)}, so that it is on the PATH")
    drawing = Exporter()
    yield drawing
    drawing.close()


@pytest.fixture
def made_up() -> MadeUp:
    """One that draws nothing, and remembers what it was asked for."""
    return MadeUp()
