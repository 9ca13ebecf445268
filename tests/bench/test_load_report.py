"""The tables of the load generator say what Locust has measured."""

import json
from dataclasses import replace

from bench.load.report import Load, costs, table, waits


def entry(method: str, name: str, *times: int, failed: int = 0) -> dict:
    """An entry of Locust's JSON, with the fields that are read."""
    counted = {str(float(one)): times.count(one) for one in set(times)}
    entry = {"method": method, "name": name, "num_requests": len(times), "num_failures": failed}
    return json.loads(json.dumps({**entry, "response_times": counted}))


LOAD = Load(
    users="students",
    n_users=7,
    n_processes=2,
    n_cores=1,
    stats=[
        entry("act", "open", 300),
        entry("act", "toggle", *range(1, 20), failed=2),
        entry("training", "begun", 5000),
    ],
    seconds=10,
    cores=0.5,
    cores_generator=0.25,
    megabytes_before=600,
    megabytes_after=614,
)


def test_the_first_line_is_about_all_acts_and_each_kind_has_another() -> None:
    everything, begun, opened, toggled = waits(LOAD)
    assert everything == {
        "students": "7",
        "processes": "2",
        "measured": "all acts",
        "times": "20",
        "a second": "2.0",
        "median ms": "10",
        "95th percentile": "19",
        "largest": "300",
        "failed": "2",
    }
    assert [one["measured"] for one in (opened, toggled, begun)] == ["open", "toggle", "begun"]
    assert (toggled["largest"], begun["median ms"]) == ("19", "5,000")


def test_nothing_is_said_of_what_was_not_measured() -> None:
    assert waits(replace(LOAD, stats=[entry("room", "received", 7)]))[0]["measured"] == "received"
    (everything,) = waits(replace(LOAD, stats=[entry("act", "open")]))
    assert (everything["times"], everything["median ms"], everything["largest"]) == ("0", "–", "–")


def test_a_server_costs_processor_time_per_act_and_memory_per_user() -> None:
    line = costs(replace(LOAD, n_cores=2))
    assert (line["per server core"], line["server cores"]) == ("3.5", "0.50 of 2")
    assert (line["ms of a core per act"], line["MB each"]) == ("250", "2.0"), "5 s for 20 acts; 14 MB for 7"
    assert "answers kept" not in line
    hall = costs(replace(LOAD, users="phones", n_kept=6))
    assert (hall["answers kept"], "MB each" in hall) == ("6 of 7", False)


def test_a_table_is_markdown() -> None:
    assert table([{"a": "1", "b": "2"}, {"a": "3", "b": "4"}]) == (
        "| a | b |\n| ---: | ---: |\n| 1 | 2 |\n| 3 | 4 |\n"
    )
