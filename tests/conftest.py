"""How tests are collected and shared out; what they can rely on is in `tests/fixtures.py`."""

import gc
from collections.abc import Generator

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from tests.skips import refuse

JOURNEYS = "tests/browser/"


def pytest_configure(config: pytest.Config) -> None:
    """Who only hands tests out to other processes, which wait for it, does not load torch first.

    Who collects them looks for no garbage before it is through: that is a third of what collecting costs.
    """
    hands_out = config.getoption("dist", "no") != "no"
    if not hands_out:
        gc.disable()
        config.pluginmanager.import_plugin("tests.fixtures")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test that `make test` leaves out says why; journeys begin, for they take longest."""
    for item in items:
        if any(not mark.args for mark in item.iter_markers("long")):
            raise pytest.UsageError(f"{item.nodeid} is marked long without a reason")
    items.sort(key=lambda item: not item.nodeid.startswith(JOURNEYS))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that is skipped where `CI` is set fails."""
    report = yield
    refuse(report)
    return report


def pytest_collection_finish() -> None:
    """What was loaded to collect tests stays, so nobody need look through it for garbage, as in the app."""
    gc.collect()
    gc.freeze()
    gc.enable()


class FilesWithJourneysFirst(LoadScopeScheduling):
    """Hands files out to processes in the order collected; all journeys go to one, with its server.

    Test by test costs more: the hander-out counts all that it has ever handed out whenever a test ends.
    """

    def __init__(self, config: pytest.Config, log: Producer) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False  # by the number of tests, which says nothing of how long

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.split("::")[0]
        return JOURNEYS if file.startswith(JOURNEYS) else file


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> FilesWithJourneysFirst:
    """How tests are shared out where they run in several processes."""
    return FilesWithJourneysFirst(config, log)
