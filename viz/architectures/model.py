"""A whole model as boxes and arrows, words at the bottom and what it predicts at the top."""

from collections.abc import Callable, Sequence
from math import inf
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from viz.architectures.layout import ROOM_FOR_NOTE, Box, Layout, layout
from viz.architectures.pen import Frame, Pen, fitting
from viz.fitted import LARGEST, SMALLEST
from viz.parts.figure_cache import cached_figure
from viz.picture import Picture, finished
from viz.text import em_width, label, literal, plain, whole_words
from viz.theme import Theme

TITLE_SIZES, NOTE, SHAPE = (17, 16, 15, 14, 13), 13, 13
"""Sizes of type in pixels: of a box's title, the largest that fits; of its second line; and of the shapes."""

CHOSEN, PAD, BESIDE = 4, 10, 8
"""Width of the outline of the chosen box, and pixels between text and what is beside it."""

EDGES, LINE = 3, 1.12
"""Pixels that a title leaves above and below it, together, and its own height in em: y reaches down as far
as half of that below the middle."""

BETWEEN = "\u2003"
"""What stands between a title and a note beside it."""

MASK = 26
"""Pixels of the picture of a mask, which has at most so many cells as that."""

WIDE_ENOUGH = 150
"""Pixels of a box that has room for the picture of its mask beside its title, which says it too."""

LONG_ENOUGH = 1.2 * SHAPE
"""Pixels of an arrow, outside of boxes and on one side of a frame, beside which a shape touches neither."""

WORDS = TITLE_SIZES[1:-1]
"""Sizes of type of the words, the largest at which all fit, else cut at the smallest."""

ABOVE = 12
"""Pixels from a stack to the arrow that leaves it for another one."""

ATTENTIONS = ("attention", "cross-attention")


def architecture(
    boxes: Sequence[Box],
    *,
    title: str,
    theme: Theme,
    width: float,
    tallest: float = inf,
    chosen: str = "",
    fills: bool = False,
    behind: Callable[[], pd.DataFrame] | None = None,
) -> Picture:
    """The model, `width` pixels wide: a column for each stack, an arrow to every box from what it is made of.

    An arrow that passes boxes by goes round them, and one from another stack is in the colour of keys. Shapes
    stand at the arrows. Boxes become lower for a figure of `tallest` pixels. A click on a box
    reports its name as customdata. `behind` makes the table behind the picture. Of words that do not fit the
    width the last are left out. A drawing that `fills` a place, for which it is magnified, is so much
    narrower: stretched, it would have its arrows end beside what they lead to.
    """
    look: dict[str, Any] = {"theme": theme, "width": width, "tallest": tallest, "chosen": chosen}
    figure = _architecture(boxes, fills=fills, **look)
    return finished(figure, alt=_all_told(boxes), table=behind, title=title)


@cached_figure
def _architecture(
    boxes: Sequence[Box], *, theme: Theme, width: float, tallest: float, chosen: str, fills: bool
) -> go.Figure:
    places = layout(boxes, width, tallest)
    if fills:
        # A drawing that is lower than its place is magnified, and a higher one made smaller.
        width /= min(max(SMALLEST, tallest / places.height), LARGEST)
        places = layout(boxes, width, tallest)
    pen = Pen(theme, width, places.height)
    for stack, (frame, name) in places.blocks.items():
        _draw_frame(pen, frame, name, places.lanes[stack])
    for box in boxes:
        _draw_box(pen, box, places.boxes[box.name], is_chosen=box.name == chosen, room=places.room)
    known = {box.name: box for box in boxes}
    across: dict[str, list[Frame]] = {}
    for box in boxes:
        for start in (known[name] for name in box.inputs):
            if start.stack == box.stack:
                _draw_arrow(pen, start, box, boxes, places)
            else:
                across.setdefault(start.name, []).append(places.boxes[box.name])
    for name, targets in across.items():
        _draw_across(pen, known[name], targets, places.boxes[name])
    return pen.finished()


def _all_told(boxes: Sequence[Box]) -> str:
    """The model in words: every box in order with what leads to it, and what its mask hides."""
    titles = {box.name: plain(box.title) for box in boxes}
    stacks = list(dict.fromkeys(box.stack for box in boxes))
    told = []
    for stack in stacks:
        steps = [_alt(box, titles, boxes) for box in boxes if box.stack == stack]
        told.append(f"{stack.capitalize() or 'From the words upwards'}: {'; '.join(steps)}.")
    return f"A model of {len(boxes)} boxes. {' '.join(told)}"


def _alt(box: Box, titles: dict[str, str], boxes: Sequence[Box]) -> str:
    """A box, its shape, and the boxes that lead to it besides the one below."""
    order = [one.name for one in boxes if one.stack == box.stack]
    at = order.index(box.name)
    others = [titles[name] for name in box.inputs if not at or name != order[at - 1]]
    joined = f", with {' and '.join(others)}" if others else ""
    masked = ", masked" if box.allowed is not None else ""
    return f"{titles[box.name]} ({box.shape}){masked}{joined}"


def _draw_frame(pen: Pen, frame: Frame, name: str, lane: float) -> None:
    """The frame of a block, and its name above the arrows that go round: no shape stands there."""
    pen.box(frame, pen.theme.muted, width=1, dash="dot")
    is_right = lane > frame.x
    x = frame.right - BESIDE if is_right else frame.left + BESIDE
    look: dict[str, Any] = {"xanchor": "right" if is_right else "left", "yanchor": "top"}
    pen.write(label(name, longest=30), x, frame.top + 3, size=NOTE, colour=pen.theme.muted, **look)


def _draw_box(pen: Pen, box: Box, frame: Frame, *, is_chosen: bool, room: float) -> None:
    theme = pen.theme
    is_attention = box.kind in ATTENTIONS
    colour = theme.attention if is_attention else theme.muted if box.kind in ("norm", "blocks") else theme.ink
    outline = theme.selection if is_chosen else colour
    weight = CHOSEN if is_chosen else 2
    said = f"<b>{label(box.title, longest=40)}</b><br>gives {literal(box.shape)}"
    pen.answer(frame, box.name, said)
    if box.kind == "sum":
        pen.circle(frame, outline, fill=theme.paper, width=weight)
        pen.write("<b>+</b>", frame.x, frame.y, size=17)
        return
    if box.kind != "words":
        fill = theme.sequential[1][1] if is_attention else theme.paper
        pen.box(frame, outline, fill=fill, width=weight, dash="dash" if box.kind == "blocks" else "")
    elif is_chosen:
        pen.box(frame, outline, width=weight)
    if box.kind == "words":
        _write_words(pen, box.title, frame, room)
    else:
        _write_in(pen, box, frame)


def _write_words(pen: Pen, words: str, frame: Frame, room: float) -> None:
    """The sentence in italics, as large as it fits."""
    size = next((size for size in WORDS if em_width(words) * size <= room), WORDS[-1])
    pen.write(f"<i>{literal(whole_words(words, longest=room / size))}</i>", frame.x, frame.y, size=size)


def _write_in(pen: Pen, box: Box, frame: Frame) -> None:
    """The title of a box, its note below where there is room, and its mask at the right."""
    mask = 0.0
    if box.allowed is not None and frame.width >= WIDE_ENOUGH:
        side = min(MASK, frame.height - 2 * EDGES)
        mask = side + PAD
        square = Frame(frame.right - PAD - side / 2, frame.y, side, side)
        pen.cells(square, small(box.allowed), pen.theme.attention)
    x, room = frame.x - mask / 2, frame.width - 2 * PAD - mask
    sizes = [size for size in TITLE_SIZES if size * LINE <= frame.height - EDGES] or TITLE_SIZES[-1:]
    lines, size = fitting(box.title, room, sizes=sizes)
    if len(lines) > 1 and frame.height < 2.2 * size:
        lines = [box.title]
        size = next((size for size in sizes if em_width(box.title) * size <= room), TITLE_SIZES[-1])
    title = "<br>".join(literal(line) for line in lines)
    title = f"<b>{title}</b>" if box.kind in ATTENTIONS else title
    is_high = frame.height >= ROOM_FOR_NOTE
    free = room + PAD if is_high else room - em_width(box.title) * size - 2 * PAD
    note = next((note for note in box.notes if em_width(note) * NOTE <= free), "")
    if not note or len(lines) > 1:
        pen.write(title, x, frame.y, size=size)
    elif is_high:
        pen.write(title, x, frame.y - size * 0.6, size=size)
        pen.write(literal(note), x, frame.y + NOTE * 0.8, size=NOTE)
    else:
        beside = f"<span style='font-size:{NOTE}px'>{literal(note)}</span>"
        pen.write(f"{title}{BETWEEN}{beside}", x, frame.y, size=size)


def _draw_arrow(pen: Pen, start: Box, end: Box, boxes: Sequence[Box], places: Layout) -> None:
    """An arrow straight up, or round the boxes between."""
    source, target = places.boxes[start.name], places.boxes[end.name]
    column = [box.name for box in boxes if box.stack == start.stack]
    lane = places.lanes[start.stack]
    away = -1 if lane > source.x else 1  # the side where nothing goes round
    quiet: dict[str, Any] = {"size": SHAPE, "colour": pen.theme.muted}
    if column.index(end.name) == column.index(start.name) + 1:
        pen.arrow([(source.x, source.top), (target.x, target.bottom)], pen.theme.ink)
        low, high = _beside(start, end, places)
        if low - high >= LONG_ENOUGH:  # the arrows that go round others say the same
            x, y = source.x + away * BESIDE, (low + high) / 2
            pen.write(literal(start.shape), x, y, **quiet, xanchor="left" if away > 0 else "right")
        return
    passed = places.boxes[column[column.index(start.name) + 1]]
    y = passed.bottom + places.gap * 0.35
    edge = target.x - away * target.width / 2
    pen.arrow([(source.x, y), (lane, y), (lane, target.y), (edge, target.y)], pen.theme.ink)
    x = (lane + passed.x - away * passed.width / 2) / 2
    pen.write(literal(start.shape), x, (y + target.y) / 2, **quiet, textangle=-90)


def _beside(start: Box, end: Box, places: Layout) -> tuple[float, float]:
    """From where to where upwards a shape can stand beside an arrow: inside of a frame that it passes."""
    low, high = places.boxes[start.name].top, places.boxes[end.name].bottom
    if start.block == end.block:
        return low, high
    frame, _ = places.blocks[start.stack]
    return (low, frame.top) if start.block else (frame.bottom, high)


def _draw_across(pen: Pen, start: Box, targets: Sequence[Frame], source: Frame) -> None:
    """What another stack gives: keys and values are made of it."""
    colour, up = pen.theme.key, source.top - ABOVE
    left = min(target.left for target in targets)
    channel = (source.right + left) / 2
    for target in targets:
        way = [(source.x, source.top), (source.x, up), (channel, up), (channel, target.y)]
        pen.arrow([*way, (target.left, target.y)], colour)
    pen.write(literal(start.shape), (source.x + channel) / 2, up - NOTE, size=SHAPE, colour=colour)


def small(allowed: np.ndarray) -> np.ndarray:
    """A mask with as many rows and columns as its picture has room for: of a large one every so many."""
    rows, columns = (
        np.unique(np.linspace(0, n - 1, min(n, MASK // 2)).round().astype(int)) for n in allowed.shape
    )
    return np.asarray(allowed, dtype=bool)[np.ix_(rows, columns)]
