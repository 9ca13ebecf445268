"""What every test can rely on: it sees nothing that another test has left behind."""

import gc
import sys
from collections.abc import Iterator

import pytest
import torch
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from tests.real import long_model, no_real_model, tiny_model, usual_model
from tests.shelf import damaged_shelf, empty_shelf, noise_shelf

JOURNEYS = "tests/browser/"

__all__ = [
    "damaged_shelf",
    "empty_shelf",
    "long_model",
    "no_real_model",
    "noise_shelf",
    "tiny_model",
    "usual_model",
]


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


@pytest.fixture
def one_thread() -> Iterator[None]:
    """As a training in the app has: bits depend on how many share the work.."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test that `make test` leaves out says why; journeys begin, for they take longest."""
    for item in items:
        if any(not mark.args for mark in item.iter_markers("long")):
            raise pytest.UsageError(f"{item.nodeid} is marked long without a reason")
    items.sort(key=lambda item: not item.nodeid.startswith(JOURNEYS))


def pytest_collection_finish() -> None:
    """What was loaded to collect tests stays, so nobody need look through it for garbage, as in the app."""
    gc.collect()
    gc.freeze()


class FilesWithJourneysFirst(LoadScopeScheduling):
    """Hands files out to processes in the order collected; journeys go to one, for they share a browser.

    Test by test costs more: the hander-out counts all that it has ever handed out whenever a test ends.
    """

    def __init__(self, config: pytest.Config, log: Producer) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False  # by the number of tests, which says nothing of how long

    def _split_scope(self, nodeid: str) -> str:
        return JOURNEYS if nodeid.startswith(JOURNEYS) else nodeid.split("::")[0]


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> FilesWithJourneysFirst:
    """How tests are shared out where they run in several processes."""
    return FilesWithJourneysFirst(config, log)
