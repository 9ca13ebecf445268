"""The stops of the path: where each leads, what one will be able to do after it, and what one has seen."""

from dataclasses import dataclass
from pathlib import Path

from pages.data.entries import FOLDER, read_entries
from pages.data.links import Link

STOP = "stop"
"""The parameter that has the number of a stop, counted from 1."""


@dataclass(frozen=True, kw_only=True)
class Stop:
    """A stop: `goal` completes "you will be able to", and `seen` says what its views show.

    The first of its `views` opens it; the others belong to it. On the map of the model it lights the parts
    `lit`, of one `row` or of all, and the parts `met` lead to it.
    """

    title: str
    goal: str
    seen: str
    views: tuple[Link, ...]
    lit: tuple[str, ...]
    met: tuple[str, ...] = ()
    row: str = ""


def read_all_stops(folder: Path = FOLDER) -> tuple[Stop, ...]:
    """Return the stops in their order. Raises DataError for a wrong entry."""
    return tuple(read_entries(Stop, "stops.toml", folder=folder).values())


STOPS = read_all_stops()
"""The path, in its order."""


def path_to(number: int) -> str:
    """The link to a stop, which asks what one expects before it shows what is."""
    return path_at(STOPS[number - 1].views[0], number)


def path_at(view: Link, number: int) -> str:
    """The link to a view of a stop, which asks first as the stop does."""
    return Link("", view.address, {**view.parameters, STOP: number, "predict": "true"}).path


def read_stop(spelling: str) -> int:
    """The stop that a link names. Raises ValueError where there is none."""
    if spelling not in map(str, range(1, len(STOPS) + 1)):
        raise ValueError(f"it can be 1 to {len(STOPS)}")
    return int(spelling)


def read_stops(spelling: str) -> tuple[int, ...]:
    """The stops that a link names with dots between them, as 1.2.5. Raises ValueError for others."""
    return tuple(sorted({read_stop(one) for one in spelling.split(".")})) if spelling else ()
