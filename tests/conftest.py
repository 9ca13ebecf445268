"""What every test can rely on: it sees nothing that another test has left behind."""

import sys
from collections.abc import Iterator

import pytest

from tests.shelf import empty_shelf, noise_shelf

__all__ = ["empty_shelf", "noise_shelf"]


@pytest.fixture(autouse=True)
def empty_cache() -> Iterator[None]:
    """Streamlit's cache belongs to the process, so without this a page would show another test's results."""
    yield
    streamlit = sys.modules.get(
        "streamlit"
    )  # tests of core and viz never import it, and need not wait for it
    if streamlit is not None:
        streamlit.cache_data.clear()
        streamlit.cache_resource.clear()
