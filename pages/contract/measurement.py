"""Measurements of a view on this machine, made when a button is pressed."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from core.store import STORE


@dataclass(frozen=True)
class Measured:
    """What was measured, part by part, and `about` what: of something else nothing has been measured."""

    about: Any = None
    parts: tuple[Any, ...] = ()


NOTHING = Measured()
"""While nobody has asked for it."""


@dataclass(frozen=True)
class Measurement:
    """What a view measures part by part, each with a few words on it, when its button is pressed.

    There are `n_parts`. A session keeps them under the name `key`, with what they are `about`; one that
    `is_shared`, because its result is the same for every visitor, is kept for all of them. The button says
    its `label`, by default that it measures on this device.
    """

    key: str
    parts: Callable[[], Iterable[tuple[str, Any]]]
    about: Any
    n_parts: int
    label: str = ""
    icon: str = ":material/timer:"
    is_shared: bool = False

    def shared(self) -> Measured:
        """Return what is kept for all visitors, or NOTHING."""
        kept: Measured | None = STORE.get((Measurement, self.key, self.about)) if self.is_shared else None
        return kept or NOTHING

    def share(self, found: Measured) -> None:
        """Keep a result for all visitors."""
        STORE.put((Measurement, self.key, self.about), found)


Measure = Callable[[Measurement], Measured]
"""What supplies the result of a measurement: a button on a page, a session's last result, or nothing."""


def measured_now(what: Measurement) -> Measured:
    """Measure all parts here and now, without a page and its button; nothing of it is kept."""
    return Measured(what.about, tuple(part for _, part in what.parts()))
