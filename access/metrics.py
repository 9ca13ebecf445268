"""Metrics in Prometheus' text format, at `/metrics` of each process, for its own machine and named networks.

They have counts, seconds and bytes, and no data about a visitor.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from ipaddress import ip_address, ip_network
from threading import Lock
from typing import Protocol

from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

ADDRESS = "/metrics"
KIND = "text/plain; version=0.0.4; charset=utf-8"

METRICS_FROM = "ATTENTION_LAB_METRICS_FROM"
"""The variable that lists other networks that may read metrics, separated by commas."""

BOUNDS = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
"""Upper bounds of a histogram's buckets in seconds."""


class Metric(Protocol):
    """A metric, which is written as lines of text."""

    def lines(self) -> Iterable[str]:
        """Return the lines of its description and its values."""


def _described(name: str, kind: str, about: str) -> list[str]:
    return [f"# HELP {name} {about}", f"# TYPE {name} {kind}"]


class Counter:
    """A number that grows, such as errors since the start."""

    kind = "counter"

    def __init__(self, name: str, about: str) -> None:
        self._name, self._about, self._n, self._lock = name, about, 0, Lock()

    def count(self, more: int = 1) -> None:
        """Count one more, or `more`."""
        with self._lock:
            self._n += more

    def lines(self) -> list[str]:
        """Return its description and its value."""
        return [*_described(self._name, self.kind, self._about), f"{self._name} {self._n}"]


class UpDownCounter(Counter):
    """A number that rises and falls, such as pages that are open."""

    kind = "gauge"

    def __enter__(self) -> None:
        self.count()

    def __exit__(self, *_: object) -> None:
        self.count(-1)


class ObservableGauge:
    """Numbers that are read on request, by the values of a label if there is one."""

    def __init__(
        self, name: str, about: str, read: Callable[[], float | Mapping[str, float]], label: str = ""
    ) -> None:
        self._name, self._about, self._read, self._label = name, about, read, label

    def lines(self) -> list[str]:
        """Return its description and its values; nothing if they cannot be read."""
        try:
            found = self._read()
        except Exception:  # the store of rooms may be down: the other metrics are still read
            return []
        values = found.items() if isinstance(found, Mapping) else [("", found)]
        rows = [f"{self._name}{self._labelled(value)} {number}" for value, number in values]
        return [*_described(self._name, "gauge", self._about), *rows]

    def _labelled(self, value: str) -> str:
        return f'{{{self._label}="{value}"}}' if self._label else ""


class Histogram:
    """Durations in seconds, counted by `BOUNDS`."""

    def __init__(self, name: str, about: str) -> None:
        self._name, self._about, self._lock = name, about, Lock()
        self._counts, self._n, self._sum = [0] * len(BOUNDS), 0, 0.0

    def observe(self, seconds: float) -> None:
        """Count a duration."""
        with self._lock:
            self._n, self._sum = self._n + 1, self._sum + seconds
            for at, bound in enumerate(BOUNDS):
                self._counts[at] += seconds <= bound

    def lines(self) -> list[str]:
        """Return its description, the count up to each bound, the sum and the count of all."""
        with self._lock:
            rows = zip([f"{bound:g}" for bound in BOUNDS], self._counts, strict=True)
            buckets = [f'{self._name}_bucket{{le="{bound}"}} {n}' for bound, n in [*rows, ("+Inf", self._n)]]
            total = [f"{self._name}_sum {self._sum:.6f}", f"{self._name}_count {self._n}"]
        return [*_described(self._name, "histogram", self._about), *buckets, *total]


class Metrics:
    """Middleware that answers clients who may read metrics; for all others there are none."""

    def __init__(self, app: ASGIApp, metrics: Sequence[Metric], networks: Sequence[str]) -> None:
        self._app, self._metrics = app, metrics
        self._networks = [ip_network(one) for one in ("127.0.0.0/8", "::1/128", *networks)]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http" or scope["path"] != ADDRESS:
            await self._app(scope, receive, send)
        elif self._may_read(scope):
            text = "".join(f"{line}\n" for metric in self._metrics for line in metric.lines())
            await PlainTextResponse(text, media_type=KIND)(scope, receive, send)
        else:
            await PlainTextResponse("Not Found", status_code=404)(scope, receive, send)

    def _may_read(self, scope: Scope) -> bool:
        # A request through a proxy of this machine may be a visitor's, so it is refused.
        if any(name.startswith(b"x-forwarded-") for name, _ in scope["headers"]):
            return False
        try:
            asks = ip_address((scope.get("client") or ("", 0))[0])
        except ValueError:
            return False
        return any(asks in network for network in self._networks)


def metrics(shown: Sequence[Metric], environment: Mapping[str, str]) -> Middleware:
    """Return the middleware that answers with metrics. Raises ValueError if a value is not a network."""
    text = environment.get(METRICS_FROM, "")
    networks = [str(ip_network(one.strip())) for one in text.split(",")] if text else []
    return Middleware(Metrics, metrics=shown, networks=networks)
