"""A picture: numbers with a title that draw themselves for a room, tell themselves, and list themselves."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field

import pandas as pd

from viz.layout.figure import Figure
from viz.layout.figure_cache import cached_figure
from viz.room import PAGE, Room


@dataclass(frozen=True, kw_only=True, eq=False)
class Picture(ABC):
    """What is drawn, without how: a chart is a subclass whose fields are its numbers and its words.

    `title` is a noun phrase in plain characters: it names the picture on a slide. No two pictures of a sheet
    have the same. `nothing` says why there is no number to draw yet, and is empty where there is one.
    `behind` makes the table of a chart that has none of its own.
    """

    title: str
    nothing: str = ""
    behind: Callable[[], pd.DataFrame] | None = field(default=None, compare=False)

    def __init_subclass__(cls) -> None:
        # A dataclass has no repr of its own where the class has one: it would write out all numbers.
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
        """List the numbers for the page; None where another picture of the sheet lists them."""
        return None if self.behind is None else self.behind()

    def data(self) -> pd.DataFrame | None:
        """List all numbers that are drawn, for a file."""
        return self.table()

    @property
    def has_table(self) -> bool:
        """Whether there is a table, which is not made to know it."""
        return self.behind is not None or type(self).table is not Picture.table


@cached_figure
def _drawn(picture: Picture, room: Room) -> Figure:
    return picture.draw(room)
