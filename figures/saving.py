"""Files of many links, one after the other: what has been made, and what could not be and why."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.sources import UnavailableError
from figures.exhibits import Exhibit
from figures.files import DRAWN, File, drawn_as, file, made, ordered
from figures.order import Kind, Order, OrderError
from figures.rendering.exporter import Exporter, ExportError
from pages.shell.measuring import measured_now

GATHERED: tuple[Kind, ...] = ("pptx", "zip")
"""Kinds that have all pictures of a view in one file."""


@dataclass(frozen=True)
class Failure:
    """A file that could not be made: of which link, of which kind, and the error with its sentence."""

    link: str
    kind: str
    why: Exception

    def __str__(self) -> str:
        return f"{self.link}, {self.kind}: {self.why}"


def files_of(
    order: Order, kinds: Sequence[Kind], exporter: Exporter, *, origin: str = ""
) -> Iterator[File | Failure]:
    """All pictures of a link in each of some kinds, with what it measures measured here.

    A deck and an archive have all pictures in one file. What goes wrong with one does not keep the others.
    """
    gathered = [kind for kind in kinds if kind in GATHERED]
    alone = [kind for kind in kinds if kind not in GATHERED]
    if alone:
        yield from _one_by_one(order, alone, exporter, origin)
    for kind in gathered:
        try:
            yield file(replace(order, kind=kind), exporter, origin=origin, measure=measured_now)
        except (OrderError, UnavailableError, ExportError) as error:
            yield Failure(order.link, kind, error)


def _one_by_one(
    order: Order, kinds: Sequence[Kind], exporter: Exporter, origin: str
) -> Iterator[File | Failure]:
    """A file of each kind for each picture."""
    try:
        found = ordered(replace(order, kind=kinds[0]), origin, measured_now)
    except (OrderError, UnavailableError) as error:
        yield Failure(order.link, ", ".join(kinds), error)
        return
    for exhibit in found:
        yield from _of_picture(exhibit, order, kinds, exporter)


def _of_picture(
    exhibit: Exhibit, order: Order, kinds: Sequence[Kind], exporter: Exporter
) -> Iterator[File | Failure]:
    """A file of each kind: it is drawn once for all that are drawn."""
    drawn = [kind for kind in DRAWN if kind in kinds]
    if drawn:
        try:
            yield from drawn_as(drawn, exhibit, order, exporter)
        except ExportError as error:
            yield Failure(order.link, ", ".join(drawn), error)
    for kind in kinds:
        if kind not in drawn:
            try:
                yield made(exhibit, replace(order, kind=kind), exporter)
            except (OrderError, ExportError) as error:
                yield Failure(order.link, kind, error)
