"""The inside of an LSTM at one word: four sums, three of them gates, and the cell's line past them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from viz.layout.boxes import RotatedRect
from viz.layout.figure import Figure
from viz.layout.pen import WIDTH, Pen
from viz.layout.plot import title
from viz.picture import Picture
from viz.room import Room
from viz.text import label, plain
from words import two_decimals

GATES = ("forget", "write", "output")
SUMS = ("forget", "write", "candidate", "output")
"""The sums of the previous state and the word, from left to right."""

TITLES: Mapping[str, str] = {
    "forget": "forget gate f",
    "write": "input gate i",
    "candidate": "candidate c̃",
    "output": "output gate o",
}
FUNCTIONS: Mapping[str, str] = {"forget": "σ", "write": "σ", "candidate": "tanh", "output": "σ"}

HEIGHT = 306
CELL_LINE, GATED_LINE, STATE_LINE, SUM_LINE, BUS = 38, 92, 146, 214, 266
"""Heights from the top: the cell, the gated candidate, the state, the four sums, and their inputs."""

BOX, SIGN, FRAMED = 52, 26, 4
"""Height of a box, width of a circle, and width of the line of a framed box."""

TITLE, SMALLEST, SYMBOL = 14, 12, 17
ROOM_FOR_LEGEND = 480
"""Width of a figure with the legend beside the word."""

NARROWEST, ROOMY = 345, 94
"""Least width of a figure, and width of a box with the whole name; a narrower one has only its letter."""

LEFT, RIGHT = 58, 62
"""Room on both sides for inputs and outputs."""


@dataclass(frozen=True, kw_only=True, eq=False)
class LSTMCell(Picture):
    """One step of an LSTM as it reads a word.

    `step` has a number for each unit: `before`, `forget`, `write`, `candidate`, `output`, `cell`, `hidden`.
    The sum of the name `framed` has a thick frame. A picture that fills a window has no norms.
    """

    step: Mapping[str, np.ndarray]
    word: str
    layer: int
    framed: str = ""

    def draw(self, room: Room) -> Figure:
        pen = Pen.in_room(room, lambda _: HEIGHT, fits=lambda width: width >= NARROWEST)
        means = self._means()
        column = (pen.width - LEFT - RIGHT) / len(SUMS)
        at = {name: LEFT + (n + 0.5) * column for n, name in enumerate(SUMS)}
        for name, x in at.items():
            frame = RotatedRect(x, SUM_LINE, column * 0.9, BOX)
            _draw_sum(pen, frame, name, means[name], is_framed=name == self.framed)
        _draw_cell(pen, at)
        _draw_inputs(pen, at, self.word)
        _write_ends(pen, {} if room.fills else self._norms())
        return pen.finished()

    def alt(self) -> str:
        norms, means = self._norms(), self._means()
        gates = ", ".join(f"{TITLES[name]} {two_decimals(means[name])}" for name in GATES)
        return (
            f"An LSTM reads {plain(self.word)} in layer {self.layer + 1}. The cell is multiplied by the "
            "forget gate, the candidate times the input gate is added, and tanh of the cell times the output "
            f"gate is the state. Means of the units: {gates}. The length of the cell vector goes from "
            f"{two_decimals(norms['before'])} to {two_decimals(norms['cell'])}, and the length of the state "
            f"is {two_decimals(norms['hidden'])}."
        )

    def table(self) -> pd.DataFrame:
        return pd.DataFrame(
            {TITLES.get(name, name): values for name, values in self.step.items()},
            index=pd.RangeIndex(1, len(self.step["cell"]) + 1, name="unit"),
        )

    def _means(self) -> dict[str, float]:
        return {name: float(np.mean(self.step[name])) for name in SUMS}

    def _norms(self) -> dict[str, float]:
        return {name: float(np.linalg.norm(self.step[name])) for name in ("before", "cell", "hidden")}


def _draw_sum(pen: Pen, frame: RotatedRect, name: str, mean: float, *, is_framed: bool) -> None:
    """Draw a box with its name, its function and the mean of its units."""
    colour = pen.theme.attention if name in GATES else pen.theme.value
    look: dict[str, Any] = {"width": FRAMED} if is_framed else {}
    pen.box(frame, pen.theme.selection if is_framed else colour, fill=pen.theme.paper, **look)
    heading = TITLES[name] if frame.width >= ROOMY else TITLES[name].split()[-1]
    numbers = title(
        f"{FUNCTIONS[name]} {two_decimals(mean)}", frame.width - 4, smallest=SMALLEST, usual=TITLE
    )
    is_high = len(numbers.lines) > 1
    pen.write(heading, frame.x, frame.y - (16 if is_high else 11), size=SMALLEST if is_high else TITLE)
    pen.write(numbers.text, frame.x, frame.y + (7 if is_high else 12), size=numbers.size)
    pen.add_hit_area(frame, name, f"{TITLES[name]}: mean of all units {two_decimals(mean)}")


def _draw_cell(pen: Pen, at: Mapping[str, float]) -> None:
    """Draw the cell, forget gate times former cell plus gated candidate, and the state, from its tanh."""
    theme, half, top, right = pen.theme, SIGN / 2, SUM_LINE - BOX / 2, pen.width - RIGHT + 8
    kept, write, added, output = (at[name] for name in SUMS)
    squashed = RotatedRect(output, GATED_LINE, 46, SIGN)
    pen.box(squashed, theme.ink, fill=theme.paper)
    pen.write("tanh", squashed.x, squashed.y, size=TITLE)
    signs = ((kept, CELL_LINE, "⊙"), (added, CELL_LINE, "+"), (added, GATED_LINE, "⊙"))
    for x, y, sign in (*signs, (output, STATE_LINE, "⊙")):
        pen.circle(RotatedRect(x, y, SIGN, SIGN), theme.ink, fill=theme.paper)
        pen.write(sign, x, y, size=SYMBOL)
    for start, end, y in (
        (LEFT - 8, kept - half, CELL_LINE),
        (kept + half, added - half, CELL_LINE),
        (added + half, right, CELL_LINE),
        (output + half, right, STATE_LINE),
    ):
        pen.arrow([(start, y), (end, y)], theme.recurrence)
    for x, start, end in (
        (kept, top, CELL_LINE + half),
        (added, top, GATED_LINE + half),
        (added, GATED_LINE - half, CELL_LINE + half),
        (output, CELL_LINE, GATED_LINE - half),
        (output, GATED_LINE + half, STATE_LINE - half),
        (output, top, STATE_LINE + half),
    ):
        pen.arrow([(x, start), (x, end)], theme.ink)
    pen.arrow([(write, top), (write, GATED_LINE), (added - half, GATED_LINE)], theme.ink)


def _draw_inputs(pen: Pen, at: Mapping[str, float], word: str) -> None:
    """Draw the inputs of all four sums: the previous state from the left, the word from below."""
    first, last = at["forget"], at["output"]
    pen.line([(LEFT - 8, BUS), (last + WIDTH / 2, BUS)], pen.theme.recurrence)
    for x in at.values():
        pen.arrow([(x, BUS), (x, SUM_LINE + BOX / 2)], pen.theme.ink)
    middle = (first + last) / 2
    pen.line([(middle, HEIGHT - 22), (middle, BUS)], pen.theme.ink)
    pen.write(f"<i>{label(word)}</i>, x<sub>t</sub>", middle, HEIGHT - 10, size=TITLE)
    muted: dict[str, Any] = {"size": TITLE - 1, "colour": pen.theme.muted, "xanchor": "right"}
    y = HEIGHT - 10 if pen.width >= ROOM_FOR_LEGEND else HEIGHT - 28
    pen.write("in boxes: means of the units", pen.width - 4, y, **muted)


def _write_ends(pen: Pen, norms: Mapping[str, float]) -> None:
    """Write the inputs at the left and the outputs at the right, with their norms if these are given."""
    ends: tuple[tuple[str, str, float, float, str], ...] = (
        ("c<sub>t−1</sub>", "before", 4, CELL_LINE, "left"),
        ("c<sub>t</sub>", "cell", pen.width - 4, CELL_LINE, "right"),
        ("h<sub>t</sub>", "hidden", pen.width - 4, STATE_LINE, "right"),
        ("h<sub>t−1</sub>", "", 4, BUS, "left"),
    )
    for symbol, name, x, y, anchor in ends:
        look: dict[str, Any] = {"xanchor": anchor}
        pen.write(symbol, x, y - (9 if name in norms else 0), size=SYMBOL, **look)
        if name in norms:
            norm = f"length {two_decimals(norms[name])}"
            pen.write(norm, x, y + 12, size=TITLE - 1, colour=pen.theme.muted, **look)
