"""The inside of a box: an attention from queries, keys and values to its output, or a feed-forward layer."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from viz.architectures.layout import Box
from viz.architectures.model import BESIDE, CHOSEN, SHAPE
from viz.layout.boxes import RotatedRect
from viz.layout.figure import Figure
from viz.layout.pen import Pen
from viz.picture import Picture
from viz.room import Room
from viz.text import em_width, fitting_size, label, literal, plain

PLACES = {
    "bias": (0, 1),
    "allowed": (0, 2),
    "q": (1, 0),
    "k": (2, 0),
    "v": (3, 0),
    "scores": (1.5, 1),
    "pattern": (1.5, 2),
    "z": (2.25, 3),
    "out": (2.25, 4),
}
"""Column and row of each name recorded in an attention; queries, keys and values are the lowest."""

ALONE = 1.5
"""Column of boxes in a single stack: the middle of the figure."""

BESIDES = ("bias", "allowed")
"""Names in the first column, which is left out without them."""

TITLE, SMALLEST, NAME = 15, 12, 14
"""Type sizes: usual and least of a box's title, and of the inputs."""

COLUMNS, ROW, BOX, FOOT = 4, 43, 25, 28
"""Columns of the figure, distance of its rows, height of a box, and room for the inputs."""

NARROWEST = 320
"""Width that all boxes need for their names."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Inside(Picture):
    """The parts of a part; `entering` names its input from below.

    A box without inputs among `boxes` has an arrow from below, in the colour of keys if it is listed as made
    from `elsewhere`, another stack. A click on a box reports its name as customdata.
    """

    boxes: Sequence[Box]
    entering: str
    chosen: str = ""
    elsewhere: Collection[str] = ()

    def draw(self, room: Room) -> Figure:
        names = [box.name for box in self.boxes]
        pen = Pen.in_room(room, lambda width: _layout(names, width)[0], fits=lambda width: width >= NARROWEST)
        _, frames = _layout(names, pen.width)
        for box in self.boxes:
            is_chosen = box.name == self.chosen and not room.is_printed
            _draw_box(pen, box, frames[box.name], is_chosen=is_chosen)
            self._draw_arrows(pen, box, frames)
        y, muted = pen.height - NAME / 2 - 2, pen.theme.muted
        if self.elsewhere:
            pen.write("decoder", frames["q"].x, y, size=NAME, colour=muted)
            x = sum(frames[name].x for name in self.elsewhere) / len(self.elsewhere)
            pen.write("output of the encoder", x, y, size=NAME, colour=pen.theme.key)
        else:
            x = frames["k"].x if "k" in frames else pen.width / 2
            pen.write(label(self.entering, longest=40), x, y, size=NAME, colour=muted)
        return pen.finished()

    def _draw_arrows(self, pen: Pen, box: Box, frames: Mapping[str, RotatedRect]) -> None:
        """Draw the arrows to a box: from below, from a box at its side, or from one further down."""
        end, theme = frames[box.name], pen.theme
        shapes = {one.name: one.shape for one in self.boxes}
        known = [name for name in box.inputs if name in frames]
        if not known and box.name not in BESIDES:
            colour = theme.key if box.name in self.elsewhere else theme.ink
            pen.arrow([(end.x, end.bottom + (ROW - BOX) / 2 + 4), (end.x, end.bottom)], colour)
        for name in known:
            start = frames[name]
            if start.y == end.y:
                pen.arrow([(start.right, start.y), (end.left, end.y)], theme.ink)
            else:
                pen.arrow([(start.x, start.top), (start.x, end.bottom)], theme.ink)
                _write_shape(pen, shapes[name], start, end)

    def alt(self) -> str:
        details = "; ".join(f"{plain(box.title)} ({box.shape})" for box in self.boxes)
        return f"{self.title}: {details}."


def _layout(names: Sequence[str], width: float) -> tuple[float, dict[str, RotatedRect]]:
    """Return the height and the boxes' places: an attention's as in `PLACES`, others upwards."""
    spread = {"q", "k", "v"} <= set(names)
    first = 1 if spread and not set(BESIDES) & set(names) else 0
    places = {name: PLACES[name] if spread else (ALONE, row) for row, name in enumerate(names)}
    height = ROW * (1 + max(row for _, row in places.values())) + FOOT
    step = width / (COLUMNS - first)
    frames = {}
    for name, (column, row) in places.items():
        width = step * (1 if spread and name in ("q", "k", "v", *BESIDES) else 2) - BESIDE
        frames[name] = RotatedRect(
            (column - first + 0.5) * step, height - FOOT - (row + 0.5) * ROW, width, BOX
        )
    return height, frames


def _draw_box(pen: Pen, box: Box, frame: RotatedRect, *, is_chosen: bool) -> None:
    theme = pen.theme
    roles = {"q": theme.query, "k": theme.key, "v": theme.value, "out": theme.output}
    outline = theme.selection if is_chosen else roles.get(box.name, theme.ink)
    pen.box(frame, outline, fill=theme.paper, width=CHOSEN if is_chosen else 2)
    size = fitting_size(box.title, frame.width - 6, usual=TITLE, smallest=SMALLEST)
    pen.write(literal(box.title), frame.x, frame.y, size=size)
    pen.add_hit_area(frame, box.name, f"<b>{label(box.title, longest=40)}</b><br>gives {literal(box.shape)}")


def _write_shape(pen: Pen, shape: str, start: RotatedRect, end: RotatedRect) -> None:
    """Write a shape beside the arrow that leaves a box, upright on a long arrow."""
    look: dict[str, Any] = {"size": SHAPE - 1, "colour": pen.theme.muted}
    if start.y - end.y >= 1.5 * ROW:
        pen.write(literal(shape), start.x + SHAPE, (start.top + end.bottom) / 2, **look, textangle=-90)
        return
    is_left = start.x < end.x and em_width(shape) * (SHAPE - 1) < start.x - BESIDE
    x, anchor = start.x + BESIDE * (-1 if is_left else 1), "right" if is_left else "left"
    pen.write(literal(shape), x, start.top - (ROW - BOX) / 2, **look, xanchor=anchor)
