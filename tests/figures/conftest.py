"""An exporter for all tests, skipped without Chromium, and an exporter that draws nothing."""

from collections.abc import Iterator

import pytest

from figures.rendering import browser, fonts
from figures.rendering.exporter import Exporter
from tests.figures.made_up import MadeUp


@pytest.fixture(scope="session")
def exporter() -> Iterator[Exporter]:
    """An exporter with a browser."""
    if browser.find() is None:
        pytest.skip(f"no Chromium: install one of {', '.join(browser.NAMES)}, so that it is on the PATH")
    one = Exporter()
    yield one
    one.close()


@pytest.fixture(autouse=True)
def letters_that_are_there(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give all files of this process the same letters, cut once.

    Cutting letters for each hostile text takes half of the time; `test_fonts` and real drawings test it.
    """
    if request.module.__name__ != "tests.figures.test_fonts":
        cut = fonts.rule
        monkeypatch.setattr(fonts, "rule", lambda weight, _: cut(weight, fonts.COMMON))


@pytest.fixture
def made_up() -> MadeUp:
    """An exporter that draws nothing and records its jobs."""
    return MadeUp()
