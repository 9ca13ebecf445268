"""The file that an order asks for."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from figures import archive, decks, numbers
from figures.document import document
from figures.exhibits import Exhibit, exhibits
from figures.layout import job
from figures.order import (
    LONGEST_IN_CODE,
    NO_SLIDE,
    Kind,
    NothingToSaveError,
    Order,
    OrderError,
    Style,
    UnknownNameError,
)
from figures.plain import plain
from figures.provenance import address, file_name
from figures.rendering.exporter import Exporter, NotingExporter
from figures.rendering.job import Format, Plot
from pages.contract.answers import parsed
from pages.contract.measurement import Measure
from pages.lecture.deck import OWN_ADDRESS, Deck, deck_named
from pages.lecture.deck_file import DeckError

TYPES: dict[Kind, str] = {
    "svg": "image/svg+xml",
    "svg-outlines": "image/svg+xml",
    "png": "image/png",
    "pdf": "application/pdf",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "csv": "text/csv",
    "html": "text/html",
    "zip": "application/zip",
}
"""The media type of each format."""

DRAWN: dict[Kind, Format] = {"svg": "svg", "svg-outlines": "outlined", "png": "png", "pdf": "pdf"}
"""The kinds of files that Chromium draws, as the exporter names them."""

IN_ARCHIVE: tuple[Kind, ...] = ("svg", "png", "pdf")
"""The drawn files of each picture in an archive, which has its numbers too."""

ONLY_A_DECK = "A lecture is saved as slides: PPTX or PDF."

MOST_NAMED = 12
"""Characters that are named of those that no font has."""


class File(NamedTuple):
    """A file: its name, its media type, its content, and a sentence on what could not be drawn in it."""

    name: str
    media_type: str
    content: bytes
    warning: str = ""


def undrawn_warning(characters: set[str]) -> str:
    """Return a sentence that names characters which no font of this machine has; empty if there are none."""
    named = sorted(characters)[:MOST_NAMED]
    if not named:
        return ""
    more = f" and {len(characters) - len(named)} more" if len(characters) > len(named) else ""
    return (
        f"No font on the machine that draws has {' '.join(named)}{more}: PNG, PDF and PPTX show boxes there. "
        "Install a font that has them, such as Noto."
    )


def file(
    order: Order, exporter: Exporter, *, origin: str = "", measure: Measure | None = None, live: Any = None
) -> File:
    """The file of one picture; a deck or an archive of all of them where the order names none.

    A lecture's link makes slides, as PPTX or PDF. What a view measures is asked of `measure`, and what
    goes on by itself is as `live` says. Raises OrderError for a picture or a lecture that there is not,
    UnavailableError where a link has none, and ExportError where one cannot be drawn.
    """
    noting = NotingExporter(exporter)
    made = _file(order, noting, origin, measure, live)
    return made._replace(warning=undrawn_warning(noting.undrawn))


def _file(order: Order, exporter: Exporter, origin: str, measure: Measure | None, live: Any) -> File:
    lecture = lecture_of(order.link)
    if lecture is not None:
        if not order.style.preset.is_slide:
            raise OrderError(NO_SLIDE)
        return _of_lecture(lecture, order, exporter, origin, measure)
    found = ordered(order, origin, measure, live)
    if order.kind in ("pptx", "zip"):
        return gathered(found, order, exporter)
    return made(found[0], order, exporter)


def ordered(
    order: Order, origin: str = "", measure: Measure | None = None, live: Any = None
) -> list[Exhibit]:
    """The pictures that an order names: the one of its key, or all of them. Raises as `file` does."""
    if lecture_of(order.link) is not None:
        raise OrderError(ONLY_A_DECK)
    if order.style.qr and (length := len(address(order.link, origin))) > LONGEST_IN_CODE:
        raise OrderError(f"A QR code has room for {LONGEST_IN_CODE} characters, and this link has {length}.")
    preset = decks.on_slide(order.style) if order.kind == "pptx" else order.style.preset
    found = exhibits(order.link, preset, order.style.theme, origin=origin, measure=measure, live=live)
    if not found:
        raise NothingToSaveError("This view shows no picture as it is.")
    if order.strict and found[0].refused:
        raise OrderError(" ".join(map(plain, found[0].refused)))
    named_so = [one for one in found if order.key in ("", one.key)]
    if not named_so:
        raise UnknownNameError(
            f"This view has no such picture. It has {', '.join(one.key for one in found)}."
        )
    return named_so


def gathered(found: Sequence[Exhibit], order: Order, exporter: Exporter) -> File:
    """One file of those among several pictures of a view that show a number."""
    shown, empty = [one for one in found if not one.nothing], [one for one in found if one.nothing]
    if not shown:
        raise NothingToSaveError(found[0].nothing)
    name = (named if order.key else named_of_view)(found[0], order.style)
    if order.kind == "pptx":
        return _named(name, "pptx", decks.of_pictures(shown, order.style, exporter))
    first = shown[0]
    left_out = [f"Not here: {one.title}. {one.nothing}" for one in empty]
    files = (one for exhibit in shown for one in _all_of(exhibit, order, exporter))
    return _named(name, "zip", archive.packed(files, first.provenance.said, (first.caption, *left_out)))


def made(exhibit: Exhibit, order: Order, exporter: Exporter) -> File:
    """The file of a picture that was found. Raises NothingToSaveError where it shows no number."""
    if exhibit.nothing:
        raise NothingToSaveError(exhibit.nothing)
    name, kind = named(exhibit, order.style), order.kind
    if kind == "csv":
        return _named(name, kind, numbers.csv(exhibit.data()))
    if kind == "html":
        return _named(name, kind, _page(exhibit, order, exporter))
    assert kind in DRAWN, "decks and archives are gathered"
    (drawn,) = drawn_as((kind,), exhibit, order, exporter)
    return drawn


def drawn_as(kinds: Sequence[Kind], exhibit: Exhibit, order: Order, exporter: Exporter) -> Iterator[File]:
    """Draw a picture once and yield a file of each kind."""
    formats = tuple(DRAWN[kind] for kind in kinds)
    drawn = exporter.files(job(exhibit, order.style, formats, order.scale))
    for kind, drawn_format in zip(kinds, formats, strict=True):
        yield _named(named(exhibit, order.style), kind, drawn[drawn_format])


def named(exhibit: Exhibit, style: Style) -> str:
    """The name of a picture's file, without its ending."""
    return file_name(*exhibit.name, *style.unusual, sentence=exhibit.sentence)


def named_of_view(exhibit: Exhibit, style: Style) -> str:
    """The name of a file of all pictures of a view, without its ending."""
    page, view, _, *place = exhibit.name
    return file_name(page, view, *place, *style.unusual, sentence=exhibit.sentence)


def is_long(order: Order) -> bool:
    """Return whether a file has all pictures of a view or of a lecture."""
    return is_lecture(order.link) or (order.kind in ("pptx", "zip") and not order.key)


def is_lecture(link: str) -> bool:
    """Return whether a link names a lecture, be it a wrong one."""
    page, parameters = parsed(link)
    return page == OWN_ADDRESS and "deck" in parameters


def lecture_of(link: str) -> Deck | None:
    """The lecture of a link; None where it leads to anything else. Raises OrderError for a wrong one."""
    page, parameters = parsed(link)
    values = parameters.get("deck", [])
    if page != OWN_ADDRESS or not values:
        return None
    try:
        return deck_named(values[-1])
    except DeckError as error:
        raise OrderError(str(error)) from error


def _of_lecture(
    lecture: Deck, order: Order, exporter: Exporter, origin: str, measure: Measure | None
) -> File:
    if order.kind not in ("pptx", "pdf"):
        raise OrderError(ONLY_A_DECK)
    content = decks.of_lecture(lecture, order, exporter, origin=origin, measure=measure)
    return _named(file_name("lecture", *order.style.unusual, sentence=lecture.title), order.kind, content)


def _named(name: str, kind: Kind, content: bytes) -> File:
    """Return a file under a name, to which the ending of its kind is added."""
    ending = "-outlines.svg" if kind == "svg-outlines" else f".{kind}"
    return File(f"{name}{ending}", TYPES[kind], content)


def _all_of(exhibit: Exhibit, order: Order, exporter: Exporter) -> Iterator[tuple[str, bytes]]:
    """The files of a picture in an archive, by their names."""
    yield from ((one.name, one.content) for one in drawn_as(IN_ARCHIVE, exhibit, order, exporter))
    yield f"{named(exhibit, order.style)}.csv", numbers.csv(exhibit.data())


def _page(exhibit: Exhibit, order: Order, exporter: Exporter) -> bytes:
    bare = replace(order.style, title=False, qr=False)  # the page says it
    wanted = job(exhibit, bare, ("svg",))
    drawn = wanted.drawn if isinstance(wanted.drawn, Plot) else exporter.files(wanted)["svg"]
    return document(exhibit, order.style.theme, drawn)
