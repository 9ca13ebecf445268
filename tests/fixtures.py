"""What every test can rely on: it sees nothing that another test has left behind."""

import inspect
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
def empty_cache(request: pytest.FixtureRequest) -> Iterator[None]:
    """What the app remembers belongs to the process: a test that changes anything begins and ends without.

    Others find what those before them have had computed, as visitors do: of equal questions it is the same.
    """
    changes = uses_fixtures(request)
    if changes:
        forget()
    yield
    if changes:
        forget()


def uses_fixtures(request: pytest.FixtureRequest) -> bool:
    """Whether a test asks for more than its parameters."""
    item = request.node
    parameters = item.callspec.params if hasattr(item, "callspec") else ()
    marks = {name for mark in item.iter_markers("usefixtures") for name in mark.args}
    return bool(marks or set(inspect.signature(item.function).parameters) - set(parameters))


def forget() -> None:
    """Empty all memories of the app that are there: tests of core and viz need not wait for Streamlit."""
    if streamlit := sys.modules.get("streamlit"):
        streamlit.cache_data.clear()
        streamlit.cache_resource.clear()
    if memory := sys.modules.get("pages.controls.memory"):
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
