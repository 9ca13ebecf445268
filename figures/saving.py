"""Files of many links, one after the other: what has been made, and what could not be and why."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.sources import UnavailableError
from figures.exhibits import Exhibit
from figures.files import DRAWN, File, drawn_as, file, is_lecture, made, ordered
from figures.order import Kind, NothingToSaveError, Order, OrderError
from figures.rendering.exporter import Exporter, ExportError
from pages.contract.measurement import Measure, Measured, Measurement, measured_now

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


def measuring_once() -> Measure:
    """What measures here what a view asks for, and has kept it when it is asked for again."""
    kept: dict[tuple[str, Any], Measured] = {}

    def measure(what: Measurement) -> Measured:
        key = what.key, what.about
        if key not in kept:
            kept[key] = measured_now(what)
        return kept[key]

    return measure


def files_of(
    order: Order, kinds: Sequence[Kind], exporter: Exporter, *, origin: str = ""
) -> Iterator[File | Failure]:
    """All pictures of a link in each of some kinds, with what it measures measured here.

    Slides and an archive have all pictures in one file. What goes wrong with one does not keep the others.
    """
    measure = measuring_once()
    gathered = [kind for kind in kinds if kind in GATHERED or is_lecture(order.link)]
    alone = [kind for kind in kinds if kind not in gathered]
    if alone:
        yield from _one_by_one(order, alone, exporter, origin, measure)
    for kind in gathered:
        try:
            yield file(replace(order, kind=kind), exporter, origin=origin, measure=measure)
        except (OrderError, UnavailableError, ExportError) as error:
            yield Failure(order.link, kind, error)


def _one_by_one(
    order: Order, kinds: Sequence[Kind], exporter: Exporter, origin: str, measure: Measure
) -> Iterator[File | Failure]:
    """A file of each kind for each picture."""
    try:
        found = ordered(replace(order, kind=kinds[0]), origin, measure)
    except (OrderError, UnavailableError) as error:
        yield Failure(order.link, ", ".join(kinds), error)
        return
    for exhibit in found:
        yield from _of_picture(exhibit, order, kinds, exporter)


def _of_picture(
    exhibit: Exhibit, order: Order, kinds: Sequence[Kind], exporter: Exporter
) -> Iterator[File | Failure]:
    """A file of each kind: it is drawn once for all that are drawn."""
    if exhibit.nothing:
        yield Failure(order.link, ", ".join(kinds), NothingToSaveError(exhibit.nothing))
        return
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
