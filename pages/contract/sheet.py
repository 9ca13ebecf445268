"""The sheet of a view: a headline, and below it pictures, text and formulas in order."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pandas as pd

from core.programs import measure_program
from pages.contract.prose import signs_quoted
from pages.contract.question import Question
from viz.picture import Picture

Changes = Mapping[str, Any]
"""New values of parameters by their names; None brings one back to its default."""

LinkValues = Mapping[str, list[str]]
"""Parameters of a link, each with its values as they are spelt."""

Point = Mapping[str, Any]
"""A clicked point of a picture: its x and y, its curve, and the figure's data about it."""

Gesture = Callable[[Sequence[Point], LinkValues], Changes]
"""Function that takes clicked points, or those of a stroke, and the link, and returns changes of the link."""

NUMBERS = "Numbers"


def chooses(name: str) -> Gesture:
    """Return the effect of a click on a bar, which names its row and its column: it chooses the word."""
    return lambda points, link: {name: points[-1]["data"][1] + 1}


def no_models() -> Sequence[str]:
    """Return the models of a picture that shows none."""
    return ()


@dataclass(frozen=True, kw_only=True)
class Caption:
    """Text below a picture in a saved file, besides its title, in plain characters.

    `models` returns a phrase for each model in the picture; None stands for the model that the switches
    describe. `notes` state what the title leaves out: a unit, or the meaning of a mark such as an error bar.
    If `chosen` is false, the caption leaves out the sentence and the controls. A setting that changes only
    some pictures of a view is in the `notes` of these, and a seed of such pictures is their `seed`.
    If the picture is `measured`, the caption names the machine.
    """

    models: Callable[[], Sequence[str]] | None = None
    notes: tuple[str, ...] = ()
    chosen: bool = True
    seed: int | None = None
    measured: bool = False


class Program(NamedTuple):
    """A function that writes a program, and a description of its output that follows "it prints …"."""

    write: Callable[[], str]
    prints: str = "what is shown here"

    @classmethod
    def calling(
        cls,
        title: str,
        measure: Callable[..., Any],
        /,
        *given: Any,
        prints: str = "what is shown here",
        **named: Any,
    ) -> "Program":
        """Return the program of `measure_program` that calls a measure with these arguments."""
        return cls(partial(measure_program, title, measure, *given, **named), prints)


@dataclass(frozen=True)
class Text:
    """A paragraph of Markdown; typed text in it is a `Typed`.

    A `remark` is a small line about the drawing or the measurement. An `info` says why there is nothing to
    show and what to do, and a `warning` that something went wrong.
    """

    markdown: str
    kind: Literal["text", "remark", "info", "warning"] = "text"

    def __post_init__(self) -> None:
        object.__setattr__(self, "markdown", signs_quoted(self.markdown))


@dataclass(frozen=True)
class Formula:
    """A formula in LaTeX, and a line on its signs or its source, such as `Ba et al. 2016`.

    A calculation with its numbers filled in has no source, but a `key` that is unique on its page; a narrow
    page scrolls it.
    """

    latex: str
    source: str = ""
    key: str = ""


@dataclass(frozen=True)
class PicturePart:
    """A picture. `key` is unique on its page and also names its table in the link.

    `on_click` turns clicked points into changes of the link; if it `drags`, also the points that the pressed
    pointer passes. A `caption` takes the place of the sheet's.
    """

    key: str
    picture: Picture
    on_click: Gesture | None = None
    drags: bool = False
    caption: Caption | None = None


@dataclass(frozen=True)
class Column:
    """Format of a table's column: numbers, or bars from 0 to 1; `width` is in pixels."""

    format: str | None = None
    title: str = ""
    is_bar: bool = False
    width: int | None = None


@dataclass(frozen=True)
class Table:
    """A table. `key` is unique on its page; `title` names it away from its page, as a picture's title does.

    `data` in Markdown is in sight; its cells can hold formulas and links, and a telephone shows its rows as
    paragraphs. A data frame is in sight too; `columns` set the format of some of its columns. A function
    makes a table that folds, and is called only when the table is opened; `note` says what it shows. A table
    of sentences and links is not saved as a picture.
    """

    key: str
    data: str | pd.DataFrame | Callable[[], pd.DataFrame]
    title: str = ""
    note: Callable[[pd.DataFrame], str] | None = None
    columns: Mapping[str, Column] = field(default_factory=dict)
    width: Literal["content", "stretch"] = "content"
    is_saved: bool = True


def table(key: str, head: Sequence[str], rows: Sequence[Sequence[str]], *, is_saved: bool = False) -> Table:
    """Return rows of sentences and links below a head; text from outside is already escaped."""
    lines = [head, [":--" for _ in head], *rows]
    return Table(key, "\n".join(f"| {' | '.join(line)} |" for line in lines), is_saved=is_saved)


@dataclass(frozen=True)
class Controls:
    """The controls that a view asked for at this spot of its sheet; labels stand beside or above them."""

    spot: str
    arranged: Literal["in a row", "labels above", "below each other"] = "in a row"


@dataclass(frozen=True)
class Columns:
    """Parts side by side, or below each other on a narrow page; each column is as wide as its weight.

    The headline stands at the top of the column `headline_in`, if that is given. The large view shows the
    first picture of each column; if the first column is `alone`, its picture is the only one.
    """

    columns: tuple[tuple["Part", ...], ...]
    weights: tuple[float, ...] = ()
    alone: bool = False
    headline_in: int | None = None


@dataclass(frozen=True)
class Fold:
    """Parts behind a title, one click away: statistics, caveats, formulas.

    With a `key`, which is unique on its page, the link says whether it is open, as for a table. If
    `contents` is a function, it makes the parts, and is called only when the fold is opened.
    """

    title: str
    contents: tuple["Part", ...] | Callable[[], tuple["Part", ...]]
    is_open: bool = False
    key: str = ""

    __match_args__ = ("title", "parts")

    @cached_property
    def parts(self) -> tuple["Part", ...]:
        """Return the parts behind the title, made at the first call."""
        return self.contents() if callable(self.contents) else self.contents


@dataclass(frozen=True)
class Code:
    """Lines to read or copy.

    If `text` is a function, its lines are folded behind a `title`, and it is called when they are opened;
    `key` is as for a table.
    """

    text: str | Callable[[], str]
    language: str = "python"
    key: str = ""
    title: str = ""


@dataclass(frozen=True)
class Drawing:
    """A drawing that our own script draws and moves in place; Plotly would draw it anew.

    `script` is the JavaScript, with a CSS of the same name beside it. It gets `data`, with the
    alternative text as `data["alt"]`. `key` is unique on its page. The scripts and style sheets that it is
    built `on` come before it.

    `answer` answers its requests, and the server keeps nothing of them. A click in it changes the link by
    `on_click`. Its `title` names it away from its page. It is saved as a file unless it shows no model. A
    `caption` takes the place of the sheet's.
    """

    key: str
    script: Path
    data: Mapping[str, Any]
    on: tuple[Path, ...] = ()
    answer: Callable[[Any], Mapping[str, Any]] | None = None
    title: str = ""
    on_click: Callable[[Any], Changes] | None = None
    is_saved: bool = True
    caption: Caption | None = None


@dataclass(frozen=True)
class Strip:
    """The stages of a head as plain lists for the browser; one of them is `opened`.

    `changed` counts the changes in words, such as "2 changes", and `largest` is the greatest value of an
    entry. `on_change` turns a change reported by the browser into changes of the link; `reset` undoes them
    all.
    """

    stages: tuple[Mapping[str, Any], ...]
    opened: str
    changed: str
    largest: float
    alt: str
    on_change: Callable[[Mapping[str, Any], LinkValues], Changes]
    reset: Changes
    title: str = ""
    key: str = "strip"


@dataclass(frozen=True)
class Tile:
    """A link with a title and a line of text, both plain text, and a small `note` below them.

    `picture` is the address of the picture above them, and `slides` has the addresses of its slide files, by
    file type. `act` is the label of the link as a button.
    """

    title: str
    text: str
    path: str
    note: str = ""
    picture: str = ""
    slides: Mapping[str, str] = field(default_factory=dict, hash=False)
    act: str = ""


@dataclass(frozen=True)
class Tiles:
    """Links as tiles below a title: `cards` side by side, numbered `stops`, `lines` below each other.

    Below all tiles stand `files`: the addresses of files with all of them, by the labels of their links.
    """

    tiles: tuple[Tile, ...]
    title: str = ""
    arranged: Literal["cards", "stops", "lines"] = "cards"
    files: Mapping[str, str] = field(default_factory=dict, hash=False)


Part = Text | Formula | PicturePart | Table | Controls | Columns | Fold | Code | Drawing | Strip | Tiles


def all_parts(parts: Sequence[Part], *, makes: bool = True) -> Iterator[Part]:
    """Yield parts, also those in columns and behind folds, in the order of the sheet.

    Unless it `makes` them, parts that a fold makes when it is opened are left out.
    """
    for part in parts:
        yield part
        match part:
            case Columns(columns):
                yield from all_parts([one for column in columns for one in column], makes=makes)
            case Fold(contents=contents) if makes or not callable(contents):
                yield from all_parts(part.parts, makes=makes)


@dataclass(frozen=True)
class Sheet:
    """Content of a view: its text and pictures.

    `headline` answers the question of the view in one sentence with the model's numbers, in
    bold above the `parts`. `notes` stand above everything: missing parts of a model, missing files. `unknown`
    are the positions of words that the model does not know, if the shell cannot find them itself.
    `below_sentence` is what the view says of the sentence itself, below its box. Files have the `caption`
    below its pictures. `questions` asks what the reader expects before the results are shown; None stands
    for a question whose answer is a tie. `program` writes a program that computes the results again. Both
    are called on demand.
    """

    headline: str = ""
    parts: tuple[Part, ...] = ()
    notes: tuple[Text, ...] = ()
    unknown: tuple[int, ...] = ()
    below_sentence: tuple[Text, ...] = ()
    caption: Caption = field(default_factory=Caption)
    questions: Callable[[], Sequence[Question | None]] = tuple
    program: Callable[[], Program | None] = lambda: None

    def __post_init__(self) -> None:
        object.__setattr__(self, "headline", signs_quoted(self.headline))
