"""The exporter, warm for all tests; where there is no Chromium those that need it are skipped."""

from collections.abc import Iterator

import pytest

from figures.rendering import browser
from figures.rendering.exporter import Exporter


@pytest.fixture(scope="session")
def exporter() -> Iterator[Exporter]:
    """An exporter with a browser."""
    if browser.find() is None:
        pytest.skip(f"no Chromium: install one of {', '.join(browser.NAMES)}, so that it is on the PATH")
    one = Exporter()
    yield one
    one.close()
