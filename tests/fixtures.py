"""What every test can rely on: it sees nothing that another test has left behind."""

import sys
from collections.abc import Iterator

import pytest
import torch

from tests.real import hostile_model, long_model, no_real_model, tiny_model, usual_model
from tests.records import little_asked
from tests.shelf import damaged_shelf, empty_shelf, noise_shelf, spoilt_shelf

__all__ = [
    "damaged_shelf",
    "empty_shelf",
    "hostile_model",
    "little_asked",
    "long_model",
    "no_real_model",
    "noise_shelf",
    "spoilt_shelf",
    "tiny_model",
    "usual_model",
]

MAIN = sys.modules["__main__"]


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
    memory = sys.modules.get("pages.controls.memory")
    if memory is not None:
        memory.forget_all()


@pytest.fixture(autouse=True)
def main_module() -> None:
    """A page under test takes the place of `__main__`, which a process that a later test spawns would run."""
    sys.modules["__main__"] = MAIN


@pytest.fixture
def one_thread() -> Iterator[None]:
    """As a training in the app has: bits depend on how many share the work.."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)
