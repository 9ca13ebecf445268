"""The pictures of a link, each drawn for a preset and a theme, with what its file says of it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from figures import settings
from figures.plain import plain
from figures.preset import Preset
from figures.provenance import Provenance, address, version
from pages.contract.look import STACKED, Look
from pages.contract.sheet import Columns, Fold, Part, Shown
from pages.sheet import Answered, Measure, answered
from viz.picture import Picture
from viz.theme import Theme


@dataclass(frozen=True)
class Exhibit:
    """A picture of a link: the `key` that it has on its sheet, and what stands below it.

    `answer` is the sentence of its view, `question` what it answers; both are Markdown.
    """

    key: str
    picture: Picture
    title: str
    caption: str
    question: str
    answer: str
    provenance: Provenance
    name: tuple[str, ...]
    sentence: str

    @property
    def table(self) -> Callable[[], pd.DataFrame] | None:
        """What makes the table of its numbers; None where they are those of another picture."""
        return self.picture.table


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
    found = answered(link, _look(preset, theme), measure, live=live)
    return [_exhibit(part, found, link, origin) for part in pictures(found.sheet.parts)]


def pictures(parts: Sequence[Part]) -> Iterator[Shown]:
    """All pictures among parts, those in columns and behind folds too."""
    for part in parts:
        match part:
            case Shown():
                yield part
            case Columns(columns):
                for column in columns:
                    yield from pictures(column)
            case Fold(parts=inner):
                yield from pictures(inner)


def _look(preset: Preset, theme: Theme) -> Look:
    """What a sheet is drawn for: a narrow page has its columns below each other, each as wide as the page."""
    width = preset.width - 2 * preset.margin
    fills = preset.height is not None
    height = None if preset.height is None else preset.height - round(5 * preset.title_type)
    return Look(theme, page=STACKED - 1, width=width, height=height, fills=fills)


def _exhibit(part: Shown, found: Answered, link: str, origin: str) -> Exhibit:
    picture = part.picture
    title = picture.title or plain(found.question)
    provenance = Provenance(
        title=title,
        description=picture.alt,
        link=address(link, origin),
        version=version(),
        seed=settings.seed(found),
        weights=settings.weights(found),
        checkpoint=settings.checkpoint(found),
    )
    sentence = found.scene.text or " ".join(found.scene.plain)
    name = (found.entry.address or "home", found.name, part.key, *settings.place(found))
    caption, answer = settings.caption(found), str(found.sheet.answer or "")
    return Exhibit(part.key, picture, title, caption, found.question, answer, provenance, name, sentence)
