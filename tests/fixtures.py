"""What every test can rely on: it sees nothing that another test has left behind."""

import inspect
import sys
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

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


WORLDS = {"empty_shelf", "noise_shelf"}
"""Fixtures that put the same thing there whenever they are asked for."""

NO_MATTER = {"capsys", "tmp_path"}
"""Fixtures that change nothing that the app remembers."""

_world: frozenset[str] | None = None
"""What was there for the test before; None where it may have changed something else."""


@pytest.fixture(autouse=True)
def empty_cache(request: pytest.FixtureRequest) -> Iterator[None]:
    """What the app remembers belongs to the process: a test that changes anything begins without.

    Others find what those before them in the same world have had computed, as visitors do: of equal questions
    it is the same.
    """
    global _world
    world = world_of(request.node)
    if world is None or world != _world:
        forget()
    yield
    _world = world


def world_of(item: Any) -> frozenset[str] | None:
    """The fixtures that a test asks for, if they are always the same; None if it may change anything."""
    parameters = item.callspec.params if hasattr(item, "callspec") else ()
    marks = {name for mark in item.iter_markers("usefixtures") for name in mark.args}
    asked = (marks | given_to(item.function)) - set(parameters) - NO_MATTER
    return frozenset(asked) if asked <= WORLDS else None


@cache
def given_to(function: Callable[..., Any]) -> frozenset[str]:
    """The names of what a test is given."""
    return frozenset(inspect.signature(function).parameters)


def forget() -> None:
    """Empty all memories of the app that are there: tests of core and viz need not wait for Streamlit."""
    if streamlit := sys.modules.get("streamlit"):
        streamlit.cache_data.clear()
        streamlit.cache_resource.clear()
    if memory := sys.modules.get("pages.controls.memory"):
        memory.forget_all()
    if figures := sys.modules.get("viz.parts.figure_cache"):
        figures.STORE.clear()


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
