"""The file that an order asks for."""

from typing import NamedTuple

from figures.exhibits import Exhibit, exhibits
from figures.layout import job
from figures.order import Order, OrderError
from figures.provenance import file_name
from figures.rendering.exporter import Exporter

TYPES = {
    "svg": "image/svg+xml",
    "png": "image/png",
    "pdf": "application/pdf",
}
"""The media type of each format."""


class File(NamedTuple):
    """A file: what it is called, its media type, and what is in it."""

    name: str
    media_type: str
    content: bytes


def file(order: Order, exporter: Exporter, *, origin: str = "") -> File:
    """The file of one picture.

    Raises OrderError for a picture that its link does not have, UnavailableError where the link has none, and
    ExportError where it cannot be drawn.
    """
    return made(ordered(order, origin), order, exporter)


def ordered(order: Order, origin: str = "") -> Exhibit:
    """The picture that an order names, by default the first one. Raises as `file` does."""
    found = exhibits(order.link, order.style.preset, order.style.theme, origin=origin)
    for one in found:
        if order.key in ("", one.key):
            return one
    raise OrderError(
        "This view shows no picture as it is." if not found else "This view has no such picture."
    )


def made(exhibit: Exhibit, order: Order, exporter: Exporter) -> File:
    """The file of a picture that was found."""
    assert order.kind in ("svg", "png", "pdf"), "the others are not drawn"
    content = exporter.files(job(exhibit, order.style, (order.kind,), order.scale))[order.kind]
    return File(f"{named(exhibit)}.{order.kind}", TYPES[order.kind], content)


def named(exhibit: Exhibit) -> str:
    """The name of a picture's file, without its ending."""
    return file_name(*exhibit.name, sentence=exhibit.sentence)
