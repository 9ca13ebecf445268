"""Collection and distribution of the tests; `tests/fixtures.py` has the fixtures of all tests."""

import gc
from collections.abc import Generator

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from tests.skips import refuse

FLEET = "tests/browser/test_fleet_journeys.py"
"""Journeys with separate servers."""

EVERY_VIEW = "tests/browser/test_every_view.py"
JOURNEYS = "tests/browser/"
FIGURES = "tests/figures/"
CONTRACTS = "tests/pages/contract/"
OF_EVERY_VIEW = (
    CONTRACTS,
    "tests/golden/test_sheets.py",
    "tests/pages/lecture/test_shipped.py",
    "tests/pages/test_parameters.py",
)
"""Tests that open all views one by one: the process that has opened them does not compute them again."""

OF_SOURCES = tuple(f"tests/test_{name}.py" for name in ("imports", "shared_state", "portable", "caches"))
"""Tests that read our source files: the process that has read them does not read them again."""

FIRST = [JOURNEYS, EVERY_VIEW, FLEET, FIGURES, CONTRACTS]
"""The slowest tests begin."""


def pytest_configure(config: pytest.Config) -> None:
    """Do not load torch in the process that only distributes tests.

    The process that collects tests frees no garbage before it is done, which saves a third of its time.
    """
    hands_out = config.getoption("dist", "no") != "no"
    if not hands_out:
        gc.disable()
        config.pluginmanager.import_plugin("tests.fixtures")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give each long test its reason, and sort the tests: those with a browser first, as they take longest.

    Tests with the same fixtures stand together, because they share computed results. Journeys in windows that
    look alike stand together too, because a window with another look begins with a new page.
    """
    for item in items:
        if any(not mark.args for mark in item.iter_markers("long")):
            raise pytest.UsageError(f"{item.nodeid} is marked long without a reason")
    scopes: dict[str, int] = {}
    for item in items:
        scopes.setdefault(scope_of(item.nodeid), len(scopes))

    def place(item: pytest.Item) -> tuple[int, int, list[str], bool, list[str]]:
        from tests.fixtures import world_of  # the process that only distributes tests does not load torch

        scope, world = scope_of(item.nodeid), world_of(item)
        first = FIRST.index(scope) if scope in FIRST else len(FIRST)
        look = look_of(item) if scope == JOURNEYS else []
        return first, scopes[scope], look, world is None, sorted(world or ())

    items.sort(key=place)


def look_of(item: pytest.Item) -> list[str]:
    """Return the size and the theme of the window that a journey asks for."""
    parameters = item.callspec.params if hasattr(item, "callspec") else {}
    return [str(parameters.get(name, "")) for name in ("viewport", "theme")]


def scope_of(nodeid: str) -> str:
    """Return the group of a test that stays in one process, such as its file or all views."""
    file = nodeid.split("::")[0]
    scopes = (FLEET,), (EVERY_VIEW,), (JOURNEYS,), (FIGURES,), OF_EVERY_VIEW, OF_SOURCES
    return next((scope[0] for scope in scopes if file.startswith(scope)), file)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail a skipped test if `CI` is set."""
    report = yield
    refuse(report)
    return report


MADE = 50_000
"""Objects after which Python looks for garbage among the newest: 700 of itself, a twentieth of all work."""


def pytest_collection_finish() -> None:
    """Exempt all objects loaded by the collection of tests from garbage collection, as the app does.

    There is no collection before either: it would take half a second and free some megabytes.
    """
    gc.freeze()
    gc.set_threshold(MADE)
    gc.enable()


class FilesWithJourneysFirst(LoadScopeScheduling):
    """A scheduler that gives files to processes in the order collected; shared servers stay in one process.

    Distributing single tests costs more: the scheduler counts all earlier ones whenever a test ends.
    """

    def __init__(self, config: pytest.Config, log: Producer) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False  # by the number of tests, which says nothing of how long

    def _split_scope(self, nodeid: str) -> str:
        return scope_of(nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> FilesWithJourneysFirst:
    """Return the scheduler for runs in several processes."""
    return FilesWithJourneysFirst(config, log)
