"""A whole model as boxes and arrows, words at the bottom and its predictions at the top."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from viz.architectures.layout import ROOM_FOR_NOTE, Box, Layout, layout
from viz.layout.boxes import RotatedRect
from viz.layout.figure import Figure
from viz.layout.pen import PERIOD, Pen
from viz.layout.plot import title
from viz.picture import Picture
from viz.room import Room
from viz.text import em_width, label, literal, plain

TITLE, NOTE, SHAPE = 17, 13, 13
"""Type sizes: largest of a box's title, of its second line, and of the shapes."""

CHOSEN, PAD, BESIDE, LIT = 4, 10, 8, 5
"""Width of the outline of the chosen box, distances of text from its neighbours, and width of lit arrows."""

EDGES, LINE = 3, 1.12
"""Room above and below a title in all, and its height in em.

The letter y extends as far below the middle as half of that.
"""

BETWEEN = "\u2003"
"""Separator of a title and a note beside it."""

FRAME_DASH = 7
"""Length of a dash and of a gap in the frame of a block."""

MASK, MASK_SHARE = 26, 0.16
"""Side of the picture of a mask, which has at most as many cells, and its greatest share of a wide box."""

WIDE_ENOUGH = 150
"""Width of a box with room for the picture of its mask beside its title, which names it too."""

CLEAR = 1.4
"""Length of an arrow in em, outside boxes and frames, beside which a shape touches neither."""

ABOVE = 12
"""Distance from a stack to the arrow that leaves it for another stack."""

NARROWEST = 190
"""Width of a stack that is magnified."""

LARGEST = 1.6
"""Greatest magnification of a model."""

ATTENTIONS = ("attention", "cross-attention")


@dataclass(frozen=True, kw_only=True, eq=False)
class Architecture(Picture):
    """A model: a column for each stack, and an arrow to every box from its inputs.

    An arrow past other boxes goes round them, and an arrow from another stack is in the colour of keys. If
    `lights_residual`, the arrows round boxes have the colour of attention in its place. Shapes are at the
    arrows, but not in a large view. Boxes are lower in a low room. A click on a box reports its name as
    customdata.
    """

    boxes: Sequence[Box]
    chosen: str = ""
    lights_residual: bool = False

    def draw(self, room: Room) -> Figure:
        narrowest = NARROWEST * len({box.stack for box in self.boxes})
        pen = Pen.in_room(
            room,
            lambda width: layout(self.boxes, width).height,
            fits=lambda width: width >= narrowest,
            most=LARGEST,
        )
        least, highest = room.smallest_type / pen.times, room.tallest / pen.times
        places = layout(self.boxes, pen.width, highest, least_type=least, fills=room.fills)
        pen.height = places.height
        _Drawing(pen, places, self.boxes, least, self.lights_residual, has_details=not room.fills).draw(
            "" if room.is_printed else self.chosen
        )
        return pen.finished()

    def alt(self) -> str:
        titles, details = {box.name: plain(box.title) for box in self.boxes}, []
        for stack in dict.fromkeys(box.stack for box in self.boxes):
            steps, below = [], ""
            for box in (box for box in self.boxes if box.stack == stack):
                others = [titles[name] for name in box.inputs if name != below]
                joined = f", with {' and '.join(others)}" if others else ""
                masked = ", masked" if box.allowed is not None else ""
                steps.append(f"{titles[box.name]} ({box.shape}){masked}{joined}")
                below = box.name
            details.append(f"{stack.capitalize() or 'From the words upwards'}: {'; '.join(steps)}.")
        return f"A model of {len(self.boxes)} boxes. {' '.join(details)}"


@dataclass(frozen=True)
class _Drawing:
    """A model under construction; `least` is the smallest type. It `has_details`: shapes and notes."""

    pen: Pen
    places: Layout
    boxes: Sequence[Box]
    least: float
    lights_residual: bool
    has_details: bool

    def draw(self, chosen: str) -> None:
        for stack, (frame, name) in self.places.blocks.items():
            self._draw_frame(frame, name, self.places.lanes[stack])
        for box in self.boxes:
            self._draw_box(box, self.places.boxes[box.name], is_chosen=box.name == chosen)
        known = {box.name: box for box in self.boxes}
        across: dict[str, list[RotatedRect]] = {}
        for box in self.boxes:
            for start in (known[name] for name in box.inputs):
                if start.stack == box.stack:
                    self._draw_arrow(start, box)
                else:
                    across.setdefault(start.name, []).append(self.places.boxes[box.name])
        for name, targets in across.items():
            self._draw_across(known[name], targets, self.places.boxes[name])

    def _draw_frame(self, frame: RotatedRect, name: str, lane: float) -> None:
        """Draw the frame of a block, and its name above the arrows round boxes, where no shape is."""
        pen = self.pen
        pen.box(frame, pen.theme.muted, width=1, dashed=FRAME_DASH)
        is_right = lane > frame.x
        x = frame.right - BESIDE if is_right else frame.left + BESIDE
        look: dict[str, Any] = {"xanchor": "right" if is_right else "left", "yanchor": "top"}
        pen.write(label(name, longest=30), x, frame.top + 3, size=NOTE, colour=pen.theme.muted, **look)

    def _draw_box(self, box: Box, frame: RotatedRect, *, is_chosen: bool) -> None:
        pen, theme = self.pen, self.pen.theme
        is_attention = box.kind in ATTENTIONS and not self.lights_residual
        quiet = theme.muted if box.kind in ("norm", "blocks") else theme.ink
        outline = theme.selection if is_chosen else theme.attention if is_attention else quiet
        weight = CHOSEN if is_chosen else 2
        pen.add_hit_area(
            frame, box.name, f"<b>{label(box.title, longest=40)}</b><br>gives {literal(box.shape)}"
        )
        if box.kind == "sum":
            pen.circle(frame, outline, fill=theme.paper, width=weight)
            pen.write("<b>+</b>", frame.x, frame.y, size=max(self.least, min(17, 0.8 * frame.height)))
        elif box.kind == "words":
            if is_chosen:
                pen.box(frame, outline, width=weight)
            words = self.places.lines[box.name]
            text = "<br>".join(f"<i>{literal(line)}</i>" for line in words.lines)
            pen.write(text, frame.x, frame.y, size=words.size)
        else:
            fill = theme.sequential[1][1] if is_attention else theme.paper
            pen.box(frame, outline, fill=fill, width=weight, dashed=PERIOD if box.kind == "blocks" else 0)
            self._write_in(box, frame)

    def _write_in(self, box: Box, frame: RotatedRect) -> None:
        """Write the title of a box, its note below if there is room, and draw its mask on the right."""
        pen, mask = self.pen, 0.0
        if box.allowed is not None and frame.width >= WIDE_ENOUGH:
            side = min(max(MASK, MASK_SHARE * frame.width), frame.height - 2 * EDGES)
            mask = side + PAD
            square = RotatedRect(frame.right - PAD - side / 2, frame.y, side, side)
            pen.cells(square, small(box.allowed), pen.theme.attention)
        x, room = frame.x - mask / 2, frame.width - 2 * PAD - mask
        usual = min(TITLE, int((frame.height - EDGES) / LINE))
        heading = title(box.title, room, smallest=self.least, usual=usual)
        is_single, size = len(heading.lines) == 1 or frame.height < 2.2 * heading.size, heading.size
        text = literal(box.title) if is_single else heading.text
        text = f"<b>{text}</b>" if box.kind in ATTENTIONS else text
        is_high = frame.height >= ROOM_FOR_NOTE
        free = room + PAD if is_high else room - em_width(box.title) * size - 2 * PAD
        notes = box.notes if self.has_details else ()
        note = next((note for note in notes if em_width(note) * NOTE <= free), "")
        if not note or not is_single:
            pen.write(text, x, frame.y, size=size)
        elif is_high:
            pen.write(text, x, frame.y - size * 0.6, size=size)
            pen.write(literal(note), x, frame.y + NOTE * 0.8, size=NOTE)
        else:
            pixels = min(NOTE, size) * pen.times
            beside = f"<span style='font-size:{pixels:.1f}px'>{literal(note)}</span>"
            pen.write(f"{text}{BETWEEN}{beside}", x, frame.y, size=size)

    def _draw_arrow(self, start: Box, end: Box) -> None:
        """Draw an arrow straight up, or round the boxes between."""
        pen, places = self.pen, self.places
        source, target = places.boxes[start.name], places.boxes[end.name]
        column = [box.name for box in self.boxes if box.stack == start.stack]
        lane = places.lanes[start.stack]
        away = -1 if lane > source.x else 1  # the side without arrows round boxes
        if column.index(end.name) == column.index(start.name) + 1:
            pen.arrow([(source.x, source.top), (target.x, target.bottom)], pen.theme.ink)
            low, high = self._beside(start, end)
            size = min(SHAPE, (low - high) / CLEAR)
            if size >= self.least:  # the arrows round others would repeat the shape
                x, y = source.x + away * BESIDE, (low + high) / 2
                self._write_shape(start.shape, x, y, size, xanchor="left" if away > 0 else "right")
            return
        passed = places.boxes[column[column.index(start.name) + 1]]
        y = passed.bottom + places.gap * 0.35
        edge = target.x - away * target.width / 2
        colour, width = (pen.theme.attention, LIT) if self.lights_residual else (pen.theme.ink, 2)
        pen.arrow([(source.x, y), (lane, y), (lane, target.y), (edge, target.y)], colour, width=width)
        x = (lane + passed.x - away * passed.width / 2) / 2
        if em_width(start.shape) * SHAPE <= y - target.y:
            self._write_shape(start.shape, x, (y + target.y) / 2, SHAPE, textangle=-90)

    def _write_shape(self, shape: str, x: float, y: float, size: float, **look: Any) -> None:
        if self.has_details:
            self.pen.write(literal(shape), x, y, size=size, colour=self.pen.theme.muted, **look)

    def _beside(self, start: Box, end: Box) -> tuple[float, float]:
        """Return the range beside an arrow where a shape can be: inside a frame that it passes."""
        low, high = self.places.boxes[start.name].top, self.places.boxes[end.name].bottom
        if start.block == end.block:
            return low, high
        frame, _ = self.places.blocks[start.stack]
        return (low, frame.top) if start.block else (frame.bottom, high)

    def _draw_across(self, start: Box, targets: Sequence[RotatedRect], source: RotatedRect) -> None:
        """Draw the arrows from another stack, whose states are the input of keys and values."""
        colour, up = self.pen.theme.key, source.top - ABOVE
        left = min(target.left for target in targets)
        channel = (source.right + left) / 2
        for target in targets:
            way = [(source.x, source.top), (source.x, up), (channel, up), (channel, target.y)]
            self.pen.arrow([*way, (target.left, target.y)], colour)
        self.pen.write(literal(start.shape), (source.x + channel) / 2, up - NOTE, size=SHAPE, colour=colour)


def small(allowed: np.ndarray) -> np.ndarray:
    """Return a mask with as many rows and columns as its picture can show, evenly chosen."""
    rows, columns = (
        np.unique(np.linspace(0, n - 1, min(n, MASK // 2)).round().astype(int)) for n in allowed.shape
    )
    return np.asarray(allowed, dtype=bool)[np.ix_(rows, columns)]
