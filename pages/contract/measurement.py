"""Measurements of a view on this machine, made when a button is pressed."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from core.store import STORE


@dataclass(frozen=True)
class MeasurementResult:
    """Results of a measurement, part by part, and their subject in `about`."""

    about: Any = None
    parts: tuple[Any, ...] = ()


NOTHING = MeasurementResult()


@dataclass(frozen=True)
class Measurement:
    """A measurement of a view, part by part, each with a short description, started by a button.

    There are `n_parts`. A session keeps the results under the name `key`, with their subject `about`. A
    measurement that `is_shared`, because its result is the same for every visitor, is kept for all of them.
    The `label` of the button says by default that it measures on this device.
    """

    key: str
    parts: Callable[[], Iterable[tuple[str, Any]]]
    about: Any
    n_parts: int
    label: str = ""
    icon: str = ":material/timer:"
    is_shared: bool = False

    def shared(self) -> MeasurementResult:
        """Return the results that are kept for all visitors, or NOTHING."""
        kept: MeasurementResult | None = (
            STORE.get((Measurement, self.key, self.about)) if self.is_shared else None
        )
        return kept or NOTHING

    def share(self, found: MeasurementResult) -> None:
        """Keep results for all visitors."""
        STORE.put((Measurement, self.key, self.about), found)


Measure = Callable[[Measurement], MeasurementResult]
"""Source of results: a button on a page, a session's last measurement, or nothing."""


def measured_now(what: Measurement) -> MeasurementResult:
    """Measure all parts now, without a page and its button, and keep nothing."""
    return MeasurementResult(what.about, tuple(part for _, part in what.parts()))
