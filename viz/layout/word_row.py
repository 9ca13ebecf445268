"""Words in a row below the columns of a drawing: horizontal, or slanted if one is wider than its column."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, cos, radians, sin

from viz.layout.boxes import RotatedRect
from viz.layout.pen import Pen
from viz.text import em_width, label, shortened

ANGLE = 60
"""Degrees by which words are slanted."""

SIN, COS = sin(radians(ANGLE)), cos(radians(ANGLE))

LINE, APART, ABOVE, BEYOND = 1.3, 4, 4, 5
"""Height of a line in em, and three distances in units.

These are between two words, above the words, and of a slanted word beyond the middle of its column.
"""


@dataclass(frozen=True)
class WordRow:
    """Words at the distance of a `column` with type of a `size`, in the units of a pen."""

    words: Sequence[str]
    column: float
    size: float

    @cached_property
    def lengths(self) -> list[float]:
        """Lengths of the words as written."""
        return [em_width(shortened(word)) * self.size for word in self.words]

    @cached_property
    def is_slanted(self) -> bool:
        """Whether some word is wider than its column, so that all are slanted."""
        return max(self.lengths) + APART > self.column

    @property
    def step(self) -> int:
        """Step of the words that have room to be written."""
        return ceil(self.size / (self.column * SIN)) if self.is_slanted else 1

    @property
    def height(self) -> float:
        """Height of the words with the room above and below them."""
        line = LINE * self.size
        return (max(self.lengths) * SIN + line * COS if self.is_slanted else line) + 2 * ABOVE

    @property
    def reach(self) -> float:
        """Reach of words to the left of the middle of the first column."""
        ends = [
            one * COS + LINE * self.size * SIN - BEYOND if self.is_slanted else one / 2
            for one in self.lengths
        ]
        return max(end - at * self.column for at, end in enumerate(ends))

    def frames(self, x: float, top: float) -> Iterator[RotatedRect]:
        """Yield the rectangles of the words below `top`, the first one in a column with its middle at `x`."""
        line = LINE * self.size
        for at, length in enumerate(self.lengths):
            middle = x + at * self.column
            if self.is_slanted:
                left, down = (length * COS + line * SIN) / 2 - BEYOND, (length * SIN + line * COS) / 2
                yield RotatedRect(middle - left, top + ABOVE + down, length, line, turned=-ANGLE)
            else:
                yield RotatedRect(middle, top + ABOVE + line / 2, length, line)

    def write(
        self,
        pen: Pen,
        x: float,
        top: float,
        *,
        places: Sequence[int] | None = None,
        colours: Mapping[int, str] | None = None,
    ) -> None:
        """Write the words, or those at some `places`; words with `colours` are bold."""
        look = {"xanchor": "right", "textangle": -ANGLE} if self.is_slanted else {}
        for at in range(len(self.words)) if places is None else places:
            colour, word = (colours or {}).get(at, ""), label(self.words[at])
            middle = x + at * self.column + (BEYOND if self.is_slanted else 0)
            written = f"<b>{word}</b>" if colour else word
            pen.write(written, middle, top + ABOVE, size=self.size, colour=colour, yanchor="top", **look)
