"""Files that requests ask for: of a picture, of all pictures of a view, or of a lecture."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import PurePosixPath
from typing import Any, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from core.sources import UnavailableError
from figures import decks, notes, numbers
from figures.document import document
from figures.document.lecture import handout
from figures.export_pictures import ExportContext, ExportPicture, export_pictures
from figures.export_request import (
    LONGEST_IN_CODE,
    ExportRequest,
    ExportRequestError,
    Kind,
    NothingToSaveError,
    Style,
    UnknownNameError,
)
from figures.layout import job
from figures.plain import plain
from figures.provenance import address, file_name
from figures.rendering.exporter import Exporter, ExportError, NotingExporter
from figures.rendering.job import FORMATS, Plot
from pages.contract.link_parameters import parsed
from pages.contract.measurement import Measure, Measurement, MeasurementResult, measured_now
from pages.lecture.deck import deck_named, with_pictures
from pages.lecture.deck_file import DeckError
from pages.lecture.step import OWN_ADDRESS

GATHERED: tuple[Kind, ...] = ("pptx", "zip")
"""Kinds of files that contain all pictures of a view."""

IN_ARCHIVE: tuple[Kind, ...] = ("svg", "png", "pdf", "csv")
"""Kinds of files of each picture in an archive."""

ONLY_A_DECK = "A lecture is saved as slides, PPTX or PDF, or as one page of HTML."

MOST_NAMED = 12
"""The most characters without a font that a warning names."""

README = "README.txt"
AGAIN = "The link shows the same numbers again."
NOT_AGAIN = "The link opens the same settings. Trainings and measurements are not in the link."

FIRST_DAY = (1980, 1, 1, 0, 0, 0)
"""The time of every file in an archive, so that the same link makes the same archive."""


class File(NamedTuple):
    """A file: its name, its content, and a warning about characters that could not be drawn."""

    name: str
    content: bytes
    warning: str = ""


@dataclass(frozen=True)
class Failure:
    """A file that could not be made, with its link, its kinds and the error."""

    link: str
    kind: str
    why: Exception

    def __str__(self) -> str:
        return f"{self.link}, {self.kind}: {self.why}"


def measuring_once() -> Measure:
    """Return a function that runs the measurements of views in this process, each once."""
    kept: dict[tuple[str, Any], MeasurementResult] = {}

    def measure(what: Measurement) -> MeasurementResult:
        key = what.key, what.about
        if key not in kept:
            kept[key] = measured_now(what)
        return kept[key]

    return measure


def undrawn_warning(characters: set[str]) -> str:
    """Return a sentence that names the characters without a font on this machine; empty for no characters."""
    named = sorted(characters)[:MOST_NAMED]
    if not named:
        return ""
    more = f" and {len(characters) - len(named)} more" if len(characters) > len(named) else ""
    return (
        f"The machine that makes the files has no font with {' '.join(named)}{more}: PNG, PDF and PPTX show "
        "boxes. Install a font that has them, such as Noto."
    )


def file(
    request: ExportRequest,
    exporter: Exporter,
    *,
    origin: str = "",
    measure: Measure | None = None,
    live: Any = None,
) -> File:
    """Return the file of one picture, or of all if the request names none and its kind can contain several.

    A lecture's link makes slides, as PPTX or PDF, or a hand-out, as HTML, and the key of the notes of the
    path makes a PDF. `measure` runs the measurements of a view, and `live` is the state of its training.
    Raises ExportRequestError for a picture or a lecture that does not exist, UnavailableError if the link has
    no picture, and ExportError if a picture cannot be drawn.
    """
    noting = NotingExporter(exporter)
    if is_lecture(request.link):
        made = _of_lecture(request, ExportContext(noting, origin, measure))
    elif notes.is_of_notes(request):
        content = notes.of_path(request, ExportContext(noting, origin, measure))
        made = _named(file_name("attention-lab-notes", *request.style.unusual), "pdf", content)
    else:
        found = requested_pictures(request, origin, measure, live)
        if request.kind in GATHERED:
            made = combined_file(found, request, noting)
        else:
            (made,) = picture_files(found[0], [request.kind], request, noting)
    return made._replace(warning=undrawn_warning(noting.undrawn))


def files(
    request: ExportRequest, kinds: Sequence[Kind], exporter: Exporter, *, origin: str = ""
) -> Iterator[File | Failure]:
    """Yield all pictures of a link in each of some kinds; measurements run in this process.

    Slides and an archive have all pictures in one file. After a failure the other files are still made. A
    picture is drawn once for all kinds that are drawn.
    """
    measure = measuring_once()
    is_document = is_lecture(request.link) or notes.is_of_notes(request)
    single = [kind for kind in kinds if kind not in GATHERED and not is_document]
    drawn: list[Kind] = [kind for kind in FORMATS if kind in single]
    groups = [drawn] * bool(drawn) + [[kind] for kind in single if kind not in drawn]

    def tried(
        kinds: Sequence[Kind], make: Callable[..., Iterable[File]], *given: Any
    ) -> Iterator[File | Failure]:
        try:
            yield from make(*given)
        except (ExportRequestError, UnavailableError, ExportError) as error:
            yield Failure(request.link, ", ".join(kinds), error)

    def whole(kind: Kind) -> Iterator[File]:
        yield file(replace(request, kind=kind), exporter, origin=origin, measure=measure)

    try:
        found = requested_pictures(request, origin, measure) if single else []
    except (ExportRequestError, UnavailableError) as error:
        found = []
        yield Failure(request.link, ", ".join(single), error)
    for export_picture in found:
        for group in [single] if export_picture.nothing else groups:
            yield from tried(group, picture_files, export_picture, group, request, exporter)
    for kind in kinds:
        if kind not in single:
            yield from tried([kind], whole, kind)


def requested_pictures(
    request: ExportRequest, origin: str = "", measure: Measure | None = None, live: Any = None
) -> list[ExportPicture]:
    """Return the picture of a request's key, or all pictures if it has none. Raises as `file` does."""
    if is_lecture(request.link):
        raise ExportRequestError(ONLY_A_DECK)
    if request.style.qr and (length := len(address(request.link, origin))) > LONGEST_IN_CODE:
        raise ExportRequestError(
            f"A QR code has room for {LONGEST_IN_CODE} characters, and this link has {length}."
        )
    preset = decks.on_slide(request.style) if request.kind == "pptx" else request.style.preset
    found = export_pictures(
        request.link, preset, request.style.theme, origin=origin, measure=measure, live=live
    )
    if not found:
        raise NothingToSaveError("This view shows no picture to save.")
    answered = found[0].answered
    if request.strict and answered is not None and answered.refused:
        raise ExportRequestError(" ".join(plain(one.reason) for one in answered.refused))
    named_so = [one for one in found if request.key in ("", one.key)]
    if not named_so:
        names = ", ".join(one.key for one in found)
        raise UnknownNameError(f"This view has no such picture. Its pictures are {names}.")
    return named_so


def picture_files(
    export_picture: ExportPicture, kinds: Sequence[Kind], request: ExportRequest, exporter: Exporter
) -> list[File]:
    """Return a file of each kind of a picture. Raises NothingToSaveError if it shows no number."""
    if export_picture.nothing:
        raise NothingToSaveError(export_picture.nothing)
    formats = tuple(kind for kind in FORMATS if kind in kinds)
    contents: dict[str, bytes] = {}
    if formats:
        contents |= exporter.files(job(export_picture, request.style, formats, request.scale))
    if "csv" in kinds:
        contents["csv"] = numbers.csv(export_picture.data())
    if "html" in kinds:
        bare = replace(request.style, title=False, qr=False)  # the page shows both
        page = job(export_picture, bare, ("svg",))
        drawn = page.drawn if isinstance(page.drawn, Plot) else exporter.files(page)["svg"]
        contents["html"] = document(export_picture, request.style.theme, drawn)
    return [_named(file_stem(export_picture, request.style), kind, contents[kind]) for kind in kinds]


def combined_file(found: Sequence[ExportPicture], request: ExportRequest, exporter: Exporter) -> File:
    """Return one file of all pictures that show a number. Raises NothingToSaveError if there are none."""
    shown, empty = [one for one in found if not one.nothing], [one for one in found if one.nothing]
    if not shown:
        raise NothingToSaveError(found[0].nothing)
    name = file_stem(found[0], request.style, is_of_view=not request.key)
    if request.kind == "pptx":
        return _named(name, "pptx", decks.of_pictures(shown, request.style, exporter))
    left_out = [f"Not here: {one.title}. {one.nothing}" for one in empty]
    inside = (
        one
        for export_picture in shown
        for one in picture_files(export_picture, IN_ARCHIVE, request, exporter)
    )
    said, moments = (shown[0].caption, *left_out), (one.provenance.get("moment") for one in shown)
    moment = next(filter(None, moments), None)
    about = shown[0].provenance if moment is None else {**shown[0].provenance, "moment": moment}
    return _named(name, "zip", packed(inside, about, said))


def file_stem(export_picture: ExportPicture, style: Style, *, is_of_view: bool = False) -> str:
    """Return the name of a file of a picture, or of all pictures of its view, without its ending."""
    page, view, key, *place = export_picture.name
    return file_name(
        page, view, "" if is_of_view else key, *place, *style.unusual, sentence=export_picture.sentence
    )


def packed(files: Iterable[File], provenance: Mapping[str, str], said: Sequence[str]) -> bytes:
    """Return an archive of files, with a text of the sentences `said` and their provenance."""
    written, taken = BytesIO(), set[str]()
    with ZipFile(written, "w", ZIP_DEFLATED) as archive:
        for one in (File(README, _readme(provenance, said)), *files):
            archive.writestr(ZipInfo(free_name(one.name, taken), FIRST_DAY), one.content, ZIP_DEFLATED)
    return written.getvalue()


def free_name(name: str, taken: set[str]) -> str:
    """Return the name and add it to `taken`; a taken name gets a number. Case does not count."""
    path, number, found = PurePosixPath(name), 1, name
    while found.casefold() in taken:
        number += 1
        found = f"{path.stem}-{number}{path.suffix}"
    taken.add(found.casefold())
    return found


def is_long(request: ExportRequest) -> bool:
    """Return whether a request is for all pictures of a view, for a lecture, or for the notes of the path."""
    is_document = is_lecture(request.link) or notes.is_of_notes(request)
    return is_document or (request.kind in GATHERED and not request.key)


def is_lecture(link: str) -> bool:
    """Return whether a link names a lecture, even if there is no such lecture."""
    page, parameters = parsed(link)
    return page == OWN_ADDRESS and "deck" in parameters


def _of_lecture(request: ExportRequest, context: ExportContext) -> File:
    try:
        lecture = with_pictures(deck_named(parsed(request.link)[1]["deck"][-1]), request.pictures)
    except DeckError as error:
        raise ExportRequestError(str(error)) from error
    if request.kind not in ("pptx", "pdf", "html"):
        raise ExportRequestError(ONLY_A_DECK)
    write = handout if request.kind == "html" else decks.of_lecture
    content = write(lecture, request, context)
    return _named(file_name("lecture", *request.style.unusual, sentence=lecture.title), request.kind, content)


def _named(name: str, kind: Kind, content: bytes) -> File:
    """Return a file under a name with the ending of its kind."""
    return File(f"{name}-outlines.svg" if kind == "svg-outlines" else f"{name}.{kind}", content)


def _readme(provenance: Mapping[str, str], said: Sequence[str]) -> bytes:
    lines = ["Figures of Attention Lab", "", *filter(None, said)]
    lines += [f"{name}: {' '.join(value.split())}" for name, value in provenance.items()]
    if "link" in provenance:
        lines += ["", NOT_AGAIN if "moment" in provenance else AGAIN]
    return "\r\n".join(lines).encode()
