"""A class of three in front of the app itself: what the generator says holds for a server that runs."""

import pytest

from bench.load.address import Address, on_this_machine
from bench.load.browsers import Pictures
from bench.load.crowd import Measured, Plan, crowd
from bench.load.processes import Processes
from bench.load.report import HEADS, row
from tests.browser.server import serving
from tests.coroutines import awaited

PLAN = Plan(opening=1, acting=3, between=0.4, mix="plain", seed=3)


def acted(address: Address, processes: Processes | None) -> Measured:
    """Three students who do what `PLAN` says, without the files that browsers fetch besides."""
    return awaited(crowd(address, 3, PLAN, processes, []))


@pytest.mark.long("starts a server of its own: that today's app and Streamlit speak as the generator does")
def test_three_students_open_pages_and_act_and_what_they_do_changes_the_page() -> None:
    with serving() as server:
        one = acted(on_this_machine(server.address), Processes(server.process.pid))
        assert "Uncaught app execution" not in server.log()
    records = one.records
    assert (records.errors, records.lost) == ({}, {})
    assert records.unchanged.total() <= len(records.acts) / 10  # some views do not depend on every switch
    assert len(records.milliseconds("open")) == 3
    assert {"toggle", "head", "sentence"} <= {act.kind for act in records.acts}
    assert all(act.n_messages > 10 and act.n_changed > 0 for act in records.acts if act.kind == "open")
    assert one.cpu > 0
    assert len(row(one, Pictures())) == len(HEADS)


def test_a_server_that_is_not_there_is_a_session_lost_and_the_run_ends() -> None:
    plan = Plan(opening=1, acting=1, between=1)
    one = awaited(crowd(Address(9), 1, plan, None, []))
    assert one.records.lost.total() > 0
    assert one.records.acts == []
