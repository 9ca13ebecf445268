"""What the load generator says of a class is what was measured, and it measures this machine only."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bench.load.records import Measured, Pictures, Record, Records
from bench.load.report import breaks_at, row
from bench.load.target import Target, on_this_machine
from bench.processes import with_descendants
from tests.covering import each


@each(
    "url",
    [
        "http://example.org:8501",
        "http://192.168.0.1:8501",
        "http://0.0.0.0:8501",
        "http://localhost.example.org:8501",
        "http://localhost@example.org:8501",
        "http://example.org@localhost:8501",
        "http://127.0.0.2.nip.io:80",
        "https://localhost:8501",
        "http://localhost",
        "localhost:8501",
        "",
    ],
)
def test_no_other_machine_is_loaded(url: str) -> None:
    with pytest.raises(ValueError, match="expected http://localhost:PORT"):
        on_this_machine(url)


@pytest.mark.parametrize("base", ["", "/lab"])
def test_a_server_below_a_path_is_asked_there(base: str) -> None:
    target = on_this_machine(f"http://localhost:8501{base}/")
    assert (target.address, target.origin) == (f"http://localhost:8501{base}", "http://localhost:8501")


def measured(n_sessions: int, *milliseconds: float, errors: int = 0, lost: int = 0) -> Measured:
    """A class of which everybody has opened a page, and toggled as long as these milliseconds say."""
    records = Records()
    records.acts = [Record("open", 0, 100, 70, 40_000, 9)]
    records.acts += [Record("toggle", 1, one, 50, 20_000, 2) for one in milliseconds]
    records.errors["toggle: exception: ValueError"] += errors
    records.lost["toggle: no answer in 60 s"] += lost
    return Measured(
        n_sessions=n_sessions,
        seconds=10,
        records=records,
        cpu=1500,
        cpu_generator=100,
        memory_before=300,
        memory_after=350,
    )


def test_a_row_of_the_curve_has_all_acts_the_first_page_and_what_they_cost() -> None:
    one = measured(5, 200, 300, 400, errors=2, lost=1)
    assert row(replace(one, pictures=Pictures(switched=[600, 700, 800]))) == {
        "sessions": "5",
        "acts": "4",
        "acts/s": "0.4",
        "p50 ms": "250",
        "p95 ms": "385",
        "max ms": "400",
        "first page p50": "100",
        "first page p95": "100",
        "errors": "2",
        "lost": "1",
        "unchanged": "0",
        "server CPU ms/act": "375",
        "server cores": "0.15",
        "memory MB": "350",
        "MB/session": "10.00",
        "generator cores": "0.01",
        "browser p50": "700",
        "browser max": "800",
    }


def test_it_breaks_at_the_first_count_that_waits_a_second_or_loses_something() -> None:
    quick, slow = measured(25, 100), measured(50, *[1200] * 20)
    assert breaks_at([quick]) == "Nothing broke up to 25 sessions, the most that were tried."
    assert breaks_at([quick, slow, measured(100, *[9000] * 20)]).startswith(
        "It breaks at 50 sessions: p95 1200 ms"
    )
    assert breaks_at([measured(25, 100, lost=1), slow]).startswith("It breaks at 25 sessions")
    assert breaks_at([measured(25, 100, errors=1), slow]).startswith("It breaks at 25 sessions")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="only Linux tells")
def test_a_server_is_measured_with_all_that_it_has_started_and_what_of_it_has_ended() -> None:
    assert os.getpid() in with_descendants(os.getppid())
    ours = Target(1, os.getpid())
    before = ours.cpu()
    subprocess.run([sys.executable, "-c", "sum(i * i for i in range(3_000_000))"], check=True)
    assert ours.cpu() - before >= 50
    assert ours.megabytes() > 10
