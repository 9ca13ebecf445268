"""The pictures of a link, each drawn for a preset and a theme, with what its file says of it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from figures import settings
from figures.drawn import Drawn, drawn
from figures.marked import has_mark
from figures.plain import plain
from figures.preset import Preset, magnified, room_of
from figures.provenance import Provenance, address, version
from figures.tables.tabled import Tabled, tabled
from pages.contract.look import STACKED, Look
from pages.contract.measurement import Measure
from pages.contract.sheet import Drawing, Part, Sheet, Shown, Strip, Table, all_parts
from pages.sheet import Answered, answered
from viz.equation import Equation
from viz.picture import Picture
from viz.room import Room
from viz.theme import Theme

Seen = Shown | Drawing | Strip | Table
"""A part of a sheet that can be saved as a picture."""


@dataclass(frozen=True)
class Exhibit:
    """A picture of a link: the `key` that it has on its sheet, and what stands below it.

    `answer` is the sentence of its view, `question` what it answers, and `refused` says why the link asks
    for something in vain; all of them are Markdown.
    """

    key: str
    picture: Picture | Drawn | Tabled
    title: str
    caption: str
    question: str
    answer: str
    provenance: Provenance
    name: tuple[str, ...]
    sentence: str
    refused: tuple[str, ...]

    @property
    def table(self) -> Callable[[], pd.DataFrame] | None:
        """What makes the table of its numbers; None where they are those of another picture."""
        has_table = not isinstance(self.picture, Picture) or self.picture.has_table
        return self.picture.table if has_table else None

    @property
    def alt(self) -> str:
        """The text for people who cannot see it."""
        return self.picture.alt() if isinstance(self.picture, Picture) else self.picture.alt

    @property
    def nothing(self) -> str:
        """Why it shows not a single number; empty where it shows some."""
        return self.picture.nothing if isinstance(self.picture, Picture) else ""

    @property
    def data(self) -> Callable[[], pd.DataFrame]:
        """What makes the numbers that are drawn, where the table only sums them up; else the table."""
        found = self.picture.data if isinstance(self.picture, Picture) else self.table
        assert found is not None, "what is drawn are numbers"
        return found


def exhibits(
    link: str,
    preset: Preset,
    theme: Theme,
    *,
    origin: str = "",
    measure: Measure | None = None,
    live: Any = None,
) -> list[Exhibit]:
    """The pictures of a link in their order. Raises UnavailableError as `answered` does.

    What a view measures is asked of `measure`, and what goes on by itself is as `live` says. Each is drawn
    as if it had the page for itself, and fills it where the preset says how high it is.
    """
    look = _look(preset, theme)
    found = answered(link, look, measure, live=live)
    parts = list(seen(found.sheet.parts))
    height = (preset.height or preset.tallest) - 5 * preset.title_type
    room = room_of(preset, theme, height)
    return [_exhibit(part, found, room, origin) for part in parts]


def seen(parts: Sequence[Part]) -> Iterator[Seen]:
    """Yield what is saved as a picture among parts, in columns and behind folds too."""
    for part in all_parts(parts):
        match part:
            case Shown() | Strip():
                yield part
            case Drawing(is_saved=True):
                yield part
            case Table(is_saved=True) if not callable(part.data):
                yield part


def _look(preset: Preset, theme: Theme) -> Look:
    """What a sheet is drawn for: a narrow page has its columns below each other, each as wide as the page.

    It is drawn for less room, in the type of a page, and magnified to that of the preset.
    """
    times = magnified(preset)
    width = (preset.width - 2 * preset.margin) / times
    if preset.height is None:
        return Look(theme, page=STACKED - 1, width=width)
    height = (preset.height - 5 * preset.title_type) / times
    return Look(theme, page=STACKED - 1, width=width, height=round(height), fills=True)


def _picture(part: Seen, sheet: Sheet, theme: Theme) -> Picture | Drawn | Tabled:
    match part:
        case Shown(picture=picture):
            return picture
        case Drawing(key=key):
            return drawn(part, theme, _numbers(sheet, key))
        case Strip(stages=stages, opened=opened):
            stage = next(one for one in stages if one["name"] == opened)
            return Equation(title=part.title, stage=stage, told=part.alt, behind=_numbers(sheet))
        case Table():
            return tabled(part)


def _numbers(sheet: Sheet, key: str = "") -> Callable[[], pd.DataFrame] | None:
    """Return the table that folds on a sheet under a key, by default the first."""
    for part in all_parts(sheet.parts):
        if isinstance(part, Table) and callable(part.data) and key in ("", part.key):
            return part.data
    return None


def _exhibit(part: Seen, found: Answered, room: Room, origin: str) -> Exhibit:
    key, picture = part.key, _picture(part, found.sheet, room.theme)
    own = part.caption if isinstance(part, Shown) else None
    title = picture.title or plain(found.question)
    provenance = Provenance(
        title=title,
        description=picture.alt() if isinstance(picture, Picture) else picture.alt,
        link=address(found.link, origin),
        version=version(),
        seed=settings.seed(found),
        weights=settings.models(found, own),
        checkpoint=settings.checkpoint(found),
        moment=found.moment or (found.measured_on and f"measured on {found.measured_on}"),
    )
    name = (found.entry.address or "home", found.name, key, *settings.place(found))
    caption = settings.caption(found, own, title=title, is_marked=has_mark(picture, room))
    answer = str(found.sheet.answer or "")
    sentence = settings.sentence(found)
    said = (caption, found.question, answer)
    reasons = tuple(one.reason for one in found.refused)
    return Exhibit(key, picture, title, *said, provenance, name, sentence, reasons)
