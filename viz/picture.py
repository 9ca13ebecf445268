"""A picture: numbers with a title that can be drawn for a room, described, and listed."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field

import pandas as pd

from viz.layout.figure import Figure
from viz.layout.figure_cache import cached_figure
from viz.room import PAGE, Room


@dataclass(frozen=True, kw_only=True, eq=False)
class Picture(ABC):
    """The content of a drawing without its look: a chart is a subclass whose fields are its data.

    `title` is a noun phrase in plain characters: it names the picture on a slide. No two pictures of a sheet
    have the same. Some charts draw a `short` title if the whole one has no room. `empty_reason` says why
    there is no number to draw yet; it is empty if there are numbers. `make_table` makes the table of a chart
    that defines none.
    """

    title: str
    short: str = ""
    empty_reason: str = ""
    make_table: Callable[[], pd.DataFrame] | None = field(default=None, compare=False)

    def __init_subclass__(cls) -> None:
        # A dataclass makes no repr if the class defines one; its own would write out all numbers.
        if "__repr__" not in vars(cls):
            cls.__repr__ = Picture.__repr__  # type: ignore[method-assign]

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.title}>"

    def figure(self, room: Room = PAGE) -> Figure:
        """Return the figure for a room, drawn once for equal pictures and rooms."""
        return _drawn(self, room)

    @abstractmethod
    def draw(self, room: Room) -> Figure:
        """Draw the figure for a room."""

    @abstractmethod
    def alt(self) -> str:
        """Describe the picture for people who cannot see it."""

    def table(self) -> pd.DataFrame | None:
        """Return a table of the numbers for the page; None if another picture of the sheet has it."""
        return None if self.make_table is None else self.make_table()

    def data(self) -> pd.DataFrame | None:
        """Return a table of all drawn numbers, for a file."""
        return self.table()

    @property
    def has_table(self) -> bool:
        """Whether there is a table; the table is not made for this."""
        return self.make_table is not None or type(self).table is not Picture.table


@cached_figure
def _drawn(picture: Picture, room: Room) -> Figure:
    return picture.draw(room)
