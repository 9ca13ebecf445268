"""The exporter, warm for all tests, and one that draws nothing; without Chromium who needs it is skipped."""

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
    """Files made in this process carry the same letters, cut once, whatever they say.

    To cut those of each hostile text takes half of all the time; `test_fonts` does, as does who draws.
    """
    if request.module.__name__ != "tests.figures.test_fonts":
        cut = fonts.rule
        monkeypatch.setattr(fonts, "rule", lambda weight, _: cut(weight, fonts.COMMON))


@pytest.fixture
def made_up() -> MadeUp:
    """One that draws nothing, and remembers what it was asked for."""
    return MadeUp()
