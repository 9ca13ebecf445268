"""The sheet on which a view answers: a sentence, and below it pictures, text and formulas in order."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import pandas as pd

from pages.contract.caption import Caption
from pages.contract.program import Program
from pages.contract.prose import signs_quoted
from pages.contract.question import Question
from viz.picture import Picture

Changes = Mapping[str, Any]
"""New values of parameters by their names; None brings one back to its default."""

Link = Mapping[str, list[str]]
"""What a link says: for each of its parameters the values as they are spelt."""

Point = Mapping[str, Any]
"""A point of a picture that was clicked: its x and y, its curve, and what the figure noted of it."""

Gesture = Callable[[Sequence[Point], Link], Changes]
"""What a click changes, or a stroke of several points, and the link as it was before."""

NUMBERS = "Numbers"
"""The title of a table that folds, if it has no other."""


@dataclass(frozen=True)
class Text:
    """A paragraph of Markdown; typed text in it is a `Typed`.

    A `remark` is a small line: what is drawn, how it was measured. An `info` says why
    there is nothing to show and what to do, and a `warning` that something went wrong.
    """

    markdown: str
    kind: Literal["text", "remark", "info", "warning"] = "text"

    def __post_init__(self) -> None:
        """Quote signs that a sentence names."""
        object.__setattr__(self, "markdown", signs_quoted(self.markdown))


@dataclass(frozen=True)
class Formula:
    """A formula in LaTeX, and a line on its signs or whose it is, such as `Ba et al. 2016`.

    A calculation with its numbers filled in has no source, but a `key` that is unique on its page: a narrower
    page scrolls it.
    """

    latex: str
    source: str = ""
    key: str = ""


@dataclass(frozen=True)
class Shown:
    """A picture under the name that its table has in the link, which is unique on its page.

    `on_click` turns clicked points into changes of the link; if it `drags`, the points that the pressed
    pointer passes as well. A `caption` of its own takes the place of the sheet's.
    """

    key: str
    picture: Picture
    on_click: Gesture | None = None
    drags: bool = False
    caption: Caption | None = None


@dataclass(frozen=True)
class Column:
    """How a column of a table is written: as a number, or as a bar from 0 to 1; `width` is in pixels."""

    format: str | None = None
    title: str = ""
    is_bar: bool = False
    width: int | None = None


@dataclass(frozen=True)
class Table:
    """A table under a key that is unique on its page; `title` is as that of a picture.

    `data` in Markdown, in whose cells formulas and links can stand, is in sight; a telephone shows its rows
    as paragraphs. A data frame is in sight too: `columns` say how some of its columns are written. A function
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


@dataclass(frozen=True)
class Controls:
    """The controls that a view asked for at this spot of its sheet.

    In a row they carry their labels beside them, `labels above` keeps those where they are.
    """

    spot: str
    arranged: Literal["in a row", "labels above", "below each other"] = "in a row"


@dataclass(frozen=True)
class Columns:
    """Parts side by side, or below each other on a narrow page; each column is as wide as its weight.

    The headline stands at the top of the column `headline_in`, if that is given. In the large view the first
    picture of each column is shown, or that of the first `alone`.
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
        """The parts behind the title, made if nobody has asked for them yet."""
        return self.contents() if callable(self.contents) else self.contents


@dataclass(frozen=True)
class Code:
    """Lines to be read or copied.

    A function writes lines that fold behind a `title` when they are opened; `key` is as for a table.
    """

    text: str | Callable[[], str]
    language: str = "python"
    key: str = ""
    title: str = ""


@dataclass(frozen=True)
class Drawing:
    """What a script of our own draws in the page and moves, where Plotly could only draw anew.

    `script` is the JavaScript, beside which a CSS of the same name stands; it gets `data`, which has the
    alternative text as `alt`. `key` is unique on its page. The scripts and style sheets that it is built `on`
    come before it.
    What it asks, if it asks anything, `answer` answers, of which the server keeps nothing. What is clicked in
    it changes the link by `on_click`. Its `title` is what it is called away from its page, as that of a
    picture. It is saved as a file unless it shows no model.
    """

    key: str
    script: Path
    data: Mapping[str, Any]
    on: tuple[Path, ...] = ()
    answer: Callable[[Any], Mapping[str, Any]] | None = None
    title: str = ""
    on_click: Callable[[Any], Changes] | None = None
    is_saved: bool = True


@dataclass(frozen=True)
class Strip:
    """The stages of a head as plain lists for the browser, one of them `opened`.

    `changed` says how many entries are, and `largest` how large one may be made. A change that the browser
    reports becomes `on_change` of the link, and `reset` takes back all.
    """

    stages: tuple[Mapping[str, Any], ...]
    opened: str
    changed: str
    largest: float
    alt: str
    on_change: Callable[[Mapping[str, Any], Link], Changes]
    reset: Changes
    title: str = ""
    key: str = "strip"


@dataclass(frozen=True)
class Tile:
    """A link with a title and a line of text, mere characters both, and a small `note` below them.

    `picture` is the address of one that stands above them, `slides` those of files with slides of it by
    their kinds. `act` says on a button what the link does.
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

    Below all tiles stand `files`: the addresses of files of them all, by what their links say.
    """

    tiles: tuple[Tile, ...]
    title: str = ""
    arranged: Literal["cards", "stops", "lines"] = "cards"
    files: Mapping[str, str] = field(default_factory=dict, hash=False)


Part = Text | Formula | Shown | Table | Controls | Columns | Fold | Code | Drawing | Strip | Tiles


def all_parts(parts: Sequence[Part], *, makes: bool = True) -> Iterator[Part]:
    """Yield parts, and those in their columns and behind their folds, in the order of the sheet.

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

    `answer` answers the question of the view in one sentence with the model's numbers; it stands in bold
    above the `parts`. `notes` stand above everything: what is missing of a model, files that are not there.
    `unknown` are the positions of words that the model of the view does not know, where the shell cannot know
    them. `below_sentence` is what the view says of the sentence itself, below its box. The `caption` is what
    files say below its pictures. `questions` asks what one expects before it is shown, None in place of a
    tie, and `program` computes it again; both are made when somebody wants them.
    """

    answer: str = ""
    parts: tuple[Part, ...] = ()
    notes: tuple[Text, ...] = ()
    unknown: tuple[int, ...] = ()
    below_sentence: tuple[Text, ...] = ()
    caption: Caption = field(default_factory=Caption)
    questions: Callable[[], Sequence[Question | None]] = tuple
    program: Callable[[], Program | None] = lambda: None

    def __post_init__(self) -> None:
        """Quote signs that the answer names."""
        object.__setattr__(self, "answer", signs_quoted(self.answer))
