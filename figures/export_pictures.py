"""The pictures of a link, each drawn for a preset and a theme, with its caption and its provenance."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from core.sources import UnavailableError
from figures import captions
from figures.plain import plain
from figures.preset import Preset, room_of
from figures.rendering.exporter import Exporter
from figures.tables import TextTable, tabled
from pages.contract.link_parameters import parsed
from pages.contract.look import STACKED, Look
from pages.contract.measurement import Measure
from pages.contract.sheet import Drawing, Part, PicturePart, Sheet, Strip, Table, all_parts
from pages.contract.switches import OWN
from pages.contract.words import UNKNOWN_MARK
from pages.sheet import SheetResult, build_sheet
from viz.equation import Equation
from viz.picture import Picture
from viz.room import Room
from viz.text import plain as text
from viz.theme import FONT, Theme

SavablePart = PicturePart | Drawing | Strip | Table
"""A part of a sheet that can be saved as a picture."""

MARKED = re.compile(rf"[^\s>]{UNKNOWN_MARK}")
"""The mark of an unknown word, behind the word; alone, the sign is a word that was typed."""

UNSEEN = frozenset({"hovertext", "hovertemplate", "customdata", "meta", "alt", "labelalias"})
"""Keys of texts that a file does not show; `labelalias` has the words without room beside their cells."""


NO_OWN_MODEL = (
    "A picture of your own model cannot be saved: no link can carry the model. Choose other weights first."
)


@dataclass(frozen=True, kw_only=True)
class ScriptDrawing:
    """A drawing by a script: the text of its module, its style, and its data with the alternative text.

    `table` and `title` are as in `Picture`.
    """

    script: str
    style: str
    data: Mapping[str, Any]
    table: Callable[[], pd.DataFrame] | None
    title: str

    @property
    def alt(self) -> str:
        """The alternative text."""
        return str(self.data["alt"])


@dataclass(frozen=True)
class ExportPicture:
    """A picture for a file, of a link that was `answered` or of a notebook.

    `key` is its key on its sheet. Its file shows the `caption` and keeps what is `provenance`. The file's
    name has the parts of `name` and the first words of the `sentence` that was typed. `headline` is the
    headline of its view, as Markdown.
    """

    key: str
    picture: Picture | ScriptDrawing | TextTable
    caption: str
    provenance: Mapping[str, str]
    name: tuple[str, ...]
    sentence: str = ""
    headline: str = ""
    answered: SheetResult | None = None

    @property
    def title(self) -> str:
        """The title of the picture."""
        return self.provenance.get("title", "")

    @property
    def alt(self) -> str:
        """The alternative text."""
        return self.provenance.get("description", "")

    @property
    def link(self) -> str:
        """The link to the picture; empty for a picture of a notebook."""
        return self.provenance.get("link", "")

    @property
    def table(self) -> Callable[[], pd.DataFrame] | None:
        """A function that makes the table; None if another picture lists the numbers."""
        has_table = not isinstance(self.picture, Picture) or self.picture.has_table
        return self.picture.table if has_table else None

    @property
    def nothing(self) -> str:
        """Why the picture shows no number; empty if it shows some."""
        return self.picture.empty_reason if isinstance(self.picture, Picture) else ""

    @property
    def data(self) -> Callable[[], pd.DataFrame]:
        """A function that makes a table of all numbers drawn: `table`, unless that only summarizes them."""
        found = self.picture.data if isinstance(self.picture, Picture) else self.table
        assert found is not None, "a picture draws numbers"
        return found


def export_pictures(
    link: str,
    preset: Preset,
    theme: Theme,
    *,
    origin: str = "",
    measure: Measure | None = None,
    live: Any = None,
) -> list[ExportPicture]:
    """Return the pictures of a link in their order. Raises UnavailableError as `build_sheet` does.

    It is raised for a visitor's own model too, which no link carries.
    `measure` runs the measurements of a view, and `live` is the state of its training. Each picture is drawn
    as if it were alone on the page, and fills a page whose preset has a height. On a narrow page the columns
    stand below each other, each as wide as the page.
    """
    if OWN in parsed(link)[1].get("model", ()):
        raise UnavailableError(NO_OWN_MODEL)
    room = room_of(preset, theme, (preset.height or preset.usual_height) - 5 * preset.title_type)
    height = round(room.tallest) if room.fills else None
    look = Look(theme, page=STACKED - 1, width=room.width, height=height, fills=room.fills)
    found = build_sheet(link, look, measure, live=live)
    return [_export_picture(part, found, room, origin) for part in savable_parts(found.sheet.parts)]


@dataclass(frozen=True)
class ExportContext:
    """The exporter of files, the server of their links, and the measurements of their views."""

    exporter: Exporter
    origin: str = ""
    measure: Measure | None = None

    def pictures(self, link: str, preset: Preset, theme: Theme) -> list[ExportPicture]:
        """Return the pictures of a link as `export_pictures` does."""
        return export_pictures(link, preset, theme, origin=self.origin, measure=self.measure)


def savable_parts(parts: Sequence[Part]) -> Iterator[SavablePart]:
    """Yield the parts that can be saved as pictures, also those in columns and behind folds."""
    for part in all_parts(parts):
        match part:
            case PicturePart() | Strip() | Drawing(is_saved=True):
                yield part
            case Table(is_saved=True) if not callable(part.data):
                yield part


def _picture(part: SavablePart, sheet: Sheet, theme: Theme) -> Picture | ScriptDrawing | TextTable:
    match part:
        case PicturePart(picture=picture):
            return picture
        case Drawing(key=key):
            script = "\n".join(path.read_text("utf-8") for path in (*part.on, part.script))
            style = f"{_variables(theme)}{part.script.with_suffix('.css').read_text('utf-8')}"
            table = _numbers(sheet, key)
            return ScriptDrawing(script=script, style=style, data=part.data, table=table, title=part.title)
        case Strip(stages=stages, opened=opened):
            stage = next(one for one in stages if one["name"] == opened)
            return Equation(title=part.title, stage=stage, alt_text=part.alt, make_table=_numbers(sheet))
        case Table():
            return tabled(part)


def _variables(theme: Theme) -> str:
    """Return the CSS variables by which a page passes its theme to its components."""
    said = {
        "font": FONT,
        "text-color": theme.ink,
        "background-color": theme.paper,
        "secondary-background-color": theme.line,
        "border-color": theme.line,
        "primary-color": theme.primary,
    }
    return f":host {{ {' '.join(f'--st-{name}: {value};' for name, value in said.items())} }}\n"


def _numbers(sheet: Sheet, key: str = "") -> Callable[[], pd.DataFrame] | None:
    """Return the folded table of a sheet under a key, by default the first."""
    for part in all_parts(sheet.parts):
        if isinstance(part, Table) and callable(part.data) and key in ("", part.key):
            return part.data
    return None


def _export_picture(part: SavablePart, found: SheetResult, room: Room, origin: str) -> ExportPicture:
    picture = _picture(part, found.sheet, room.theme)
    own = part.caption if isinstance(part, PicturePart | Drawing) else None
    title = picture.title or plain(found.question)
    alt = picture.alt() if isinstance(picture, Picture) else picture.alt
    provenance = captions.figure_provenance(found, own, title=title, description=alt, origin=origin)
    name = (found.entry.address or "home", found.name, part.key, *captions.place(found))
    caption = captions.caption(found, own, title=title, is_marked=_has_mark(picture, room))
    sentence, headline = text(found.scene.text), str(found.sheet.headline or "")
    return ExportPicture(part.key, picture, caption, provenance, name, sentence, headline, found)


def _has_mark(picture: Picture | ScriptDrawing | TextTable, room: Room) -> bool:
    """Return whether a word in the picture, or in its figure for this room, has the mark."""
    match picture:
        case Picture():
            written: Any = picture.figure(room).to_dict()
        case ScriptDrawing():
            written = picture.data
        case TextTable():
            written = [picture.heads, picture.rows]
    return any(MARKED.search(text) for text in _texts(written))


def _texts(part: Any) -> Iterator[str]:
    """Yield the texts of a part of a figure, without hover texts."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, Mapping):
        yield from _texts([value for key, value in part.items() if key not in UNSEEN])
    elif isinstance(part, list | tuple):
        for one in part:
            yield from _texts(one)
