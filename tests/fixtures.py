"""Fixtures of all tests: a test sees nothing that another has left behind."""

import inspect
import sys
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
import torch

from tests.real import hostile_model, long_model, no_real_model, tiny_model, usual_model, without_real_models
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
    "without_real_models",
]

MAIN = sys.modules["__main__"]


WORLDS = {"empty_shelf", "measured_briefly", "noise_shelf", "without_real_models"}
"""Fixtures that always give the same thing."""

NO_MATTER = {"capsys", "nothing_logged", "snapshot", "tmp_path"}
"""Fixtures that change nothing that the app remembers."""

World = frozenset[str]

_world: World | None = None
"""The fixtures of the test before; None if it may have changed something else."""

_remembered: dict[World, dict[Any, Any]] = {}
"""The content of the store after the last test of each world."""


@pytest.fixture(autouse=True)
def memory_of_its_world(request: pytest.FixtureRequest) -> Iterator[None]:
    """Forget all that the app remembers before a test that may change anything.

    Other tests find the results of earlier tests in the same world, as visitors do: equal questions have
    equal results, whatever other tests have changed in between.
    """
    global _world
    world = world_of(request.node)
    if world is None or world != _world:
        if _world is not None:
            _remembered[_world] = results()
        forget()
        remember(_remembered.get(world, {}) if world is not None else {})
    _world = None
    yield
    _world = world


def world_of(item: Any) -> frozenset[str] | None:
    """Return the fixtures that a test asks for, if they are always the same; None if it may change anything.

    If its file has fixtures for all its tests, the file is included.
    """
    parameters = item.callspec.params if hasattr(item, "callspec") else ()
    marks = {name for mark in item.iter_markers("usefixtures") for name in mark.args}
    asked = (marks | given_to(item.function)) - set(parameters) - NO_MATTER
    if not asked <= WORLDS:
        return None
    file, known = item.nodeid.split("::")[0], item._fixtureinfo
    unasked = set(known.initialnames) - asked - set(parameters) - NO_MATTER
    has_own = any(one.baseid == file for name in unasked for one in known.name2fixturedefs.get(name, ()))
    return frozenset(asked | {file} if has_own else asked)


@cache
def given_to(function: Callable[..., Any]) -> frozenset[str]:
    """Return the names of a test's arguments."""
    return frozenset(inspect.signature(function).parameters)


def forget() -> None:
    """Empty the memory of the app; results that a test has set aside stay as they are."""
    if streamlit := sys.modules.get("streamlit"):
        streamlit.cache_data.clear()
        streamlit.cache_resource.clear()
    if store := sys.modules.get("core.store"):
        store.STORE.drop(may_change)


def remember(found: dict[Any, tuple[Any, int]]) -> None:
    """Put results back, with the bytes counted before."""
    if found:
        store = sys.modules["core.store"].STORE
        store.drop(may_change)
        store._results.update(found)
        store.held += sum(n_bytes for _, n_bytes in found.values())


def results() -> dict[Any, Any]:
    """Return the results in the store that may change."""
    store = sys.modules.get("core.store")
    held = {} if store is None else store.STORE._results
    return {key: value for key, value in held.items() if may_change(key)}


def may_change(key: Any) -> bool:
    """Return whether a result may change with the app; those of `core` depend only on their arguments."""
    return not getattr(key[0], "__module__", "").startswith("core.")


@pytest.fixture(autouse=True)
def main_module() -> None:
    """Restore `__main__`, which a page under test replaces and which spawned processes would run."""
    sys.modules["__main__"] = MAIN


@pytest.fixture
def one_thread() -> Iterator[None]:
    """Compute in one thread, as trainings of the app do: bits of results depend on the number of threads."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)
