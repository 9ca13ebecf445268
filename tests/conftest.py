"""How tests are collected and shared out; what they can rely on is in `tests/fixtures.py`."""

import gc
from collections.abc import Generator

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from tests.skips import refuse

FLEET = "tests/browser/test_fleet_journeys.py"
"""Journeys to servers of their own."""

EVERY_VIEW = "tests/browser/test_every_view.py"
JOURNEYS = "tests/browser/"
FIGURES = "tests/figures/"
CONTRACTS = "tests/pages/contract/"
OF_EVERY_VIEW = (CONTRACTS, "tests/pages/test_parameters.py")
"""Tests that open all views one by one: who has opened them once need not compute them again."""

GOLDEN = "tests/golden/test_sheets.py"

FIRST = [JOURNEYS, EVERY_VIEW, FLEET, FIGURES, CONTRACTS, GOLDEN]
"""What takes longest begins."""


def pytest_configure(config: pytest.Config) -> None:
    """Who only hands tests out to other processes, which wait for it, does not load torch first.

    Who collects them looks for no garbage before it is through: that is a third of what collecting costs.
    """
    hands_out = config.getoption("dist", "no") != "no"
    if not hands_out:
        gc.disable()
        config.pluginmanager.import_plugin("tests.fixtures")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test that `make test` leaves out says why; what drives a browser begins, for it takes longest.

    Tests that find the same there stand together, for what was computed for one is there for the next. So do
    journeys in windows that look alike: a window of another look begins with a page that is loaded anew.
    """
    for item in items:
        if any(not mark.args for mark in item.iter_markers("long")):
            raise pytest.UsageError(f"{item.nodeid} is marked long without a reason")
    scopes: dict[str, int] = {}
    for item in items:
        scopes.setdefault(scope_of(item.nodeid), len(scopes))

    def place(item: pytest.Item) -> tuple[int, int, list[str], bool, list[str]]:
        from tests.fixtures import world_of  # who only hands tests out does not load torch

        scope, world = scope_of(item.nodeid), world_of(item)
        first = FIRST.index(scope) if scope in FIRST else len(FIRST)
        look = look_of(item) if scope == JOURNEYS else []
        return first, scopes[scope], look, world is None, sorted(world or ())

    items.sort(key=place)


def look_of(item: pytest.Item) -> list[str]:
    """The size and the theme of the window that a journey asks for."""
    parameters = item.callspec.params if hasattr(item, "callspec") else {}
    return [str(parameters.get(name, "")) for name in ("viewport", "theme")]


def scope_of(nodeid: str) -> str:
    """What stays in one process: a file, journeys with a server, figures with a browser, all views."""
    file = nodeid.split("::")[0]
    scopes = (FLEET,), (EVERY_VIEW,), (JOURNEYS,), (FIGURES,), OF_EVERY_VIEW
    return next((scope[0] for scope in scopes if file.startswith(scope)), file)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that is skipped where `CI` is set fails."""
    report = yield
    refuse(report)
    return report


MADE = 50_000
"""Objects after which Python looks for garbage among the newest: 700 of itself, a twentieth of all work."""


def pytest_collection_finish() -> None:
    """What was loaded to collect tests stays, so nobody need look through it for garbage, as in the app.

    Not once before either: that takes half a second, and what it would find is some megabytes.
    """
    gc.freeze()
    gc.set_threshold(MADE)
    gc.enable()


class FilesWithJourneysFirst(LoadScopeScheduling):
    """Hands files out to processes in the order collected; what shares a server or a browser goes to one.

    Test by test costs more: the hander-out counts all that it has ever handed out whenever a test ends.
    """

    def __init__(self, config: pytest.Config, log: Producer) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False  # by the number of tests, which says nothing of how long

    def _split_scope(self, nodeid: str) -> str:
        return scope_of(nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> FilesWithJourneysFirst:
    """How tests are shared out where they run in several processes."""
    return FilesWithJourneysFirst(config, log)
