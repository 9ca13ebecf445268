"""Metrics of a process: who may read them, and that they are Prometheus' text."""

import re
from typing import Any

from starlette.applications import Starlette
from starlette.testclient import TestClient

from access.metrics import METRICS_FROM, Counter, Histogram, Metric, ObservableGauge, UpDownCounter, metrics
from tests.covering import each

LINE = re.compile(
    r'# HELP [a-z_]+ \S.*|# TYPE [a-z_]+ (counter|gauge|histogram)|[a-z_]+(\{[a-z]+="[^"\\]*"\})? \S+'
)


def told(*given: Metric) -> list[str]:
    browser = asker(*given)
    answer = browser.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    lines: list[str] = answer.text.splitlines()
    assert [line for line in lines if not LINE.fullmatch(line)] == []
    return [line for line in lines if not line.startswith("#")]


def asker(*given: Metric, client: str = "127.0.0.1", networks: str = "") -> Any:
    app = Starlette(middleware=[metrics(given, {METRICS_FROM: networks})])
    return TestClient(app, client=(client, 1))


def test_counters_levels_and_gauges_are_written_with_their_values() -> None:
    counter, level = Counter("errors_total", "Errors."), UpDownCounter("pages", "Pages.")
    counter.count()
    counter.count()
    with level:
        assert told(counter, level) == ["errors_total 2", "pages 1"]
    read = ObservableGauge("bytes", "Bytes.", lambda: {"core.a": 3, "core.b": 5}, "module")
    assert told(level, read) == ["pages 0", 'bytes{module="core.a"} 3', 'bytes{module="core.b"} 5']


def test_durations_are_counted_up_to_bounds() -> None:
    seconds = Histogram("run_seconds", "Seconds.")
    for one in (0.07, 0.5, 50):
        seconds.observe(one)
    lines = told(seconds)
    assert 'run_seconds_bucket{le="0.05"} 0' in lines
    assert 'run_seconds_bucket{le="0.1"} 1' in lines
    assert 'run_seconds_bucket{le="0.5"} 2' in lines
    assert 'run_seconds_bucket{le="+Inf"} 3' in lines
    assert lines[-2:] == ["run_seconds_sum 50.570000", "run_seconds_count 3"]


def test_a_gauge_that_cannot_be_read_leaves_the_others() -> None:
    def fails() -> float:
        raise RuntimeError("the store is away")

    assert told(ObservableGauge("rooms", "Rooms.", fails), Counter("errors_total", "Errors.")) == [
        "errors_total 0"
    ]


@each(
    ("client", "networks", "status"),
    [
        *(("127.0.0.1", "", 200), ("::1", "", 200), ("10.0.0.9", "", 404), ("testclient", "", 404)),
        *(("10.0.0.9", "10.0.0.0/8", 200), ("192.0.2.9", "10.0.0.0/8, 172.16.0.0/12", 404)),
    ],
)
def test_metrics_are_for_the_machine_itself_and_named_networks(
    client: str, networks: str, status: int
) -> None:
    assert asker(client=client, networks=networks).get("/metrics").status_code == status


@each("name", ["X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Prefix"])
def test_a_proxied_request_reads_no_metrics(name: str) -> None:
    assert asker().get("/metrics", headers={name: "127.0.0.1"}).status_code == 404
