"""Positions of a model's boxes: a column for each stack of blocks, words at the bottom."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from viz.layout.boxes import RotatedRect
from viz.layout.plot import Title, title
from viz.text import whole_words

HEIGHTS: Mapping[str, int] = {
    "words": 26,
    "sum": 22,
    "norm": 28,
    "attention": 50,
    "cross-attention": 50,
    "feed-forward": 34,
}
OTHER = 30
"""Heights of boxes by kind. All lengths are in the units of a pen."""

WORD, LINE_OF_WORDS, MOST_LINES = 16, 15, 3
"""Usual type of words, additional height for one more line, and greatest number of lines."""

ROOM_FOR_NOTE = 39
"""Height that a box with two lines needs."""

NARROW_HEIGHTS: Mapping[str, int] = {**HEIGHTS, "attention": 60, "cross-attention": 60}
LOW_HEIGHTS: Mapping[str, int] = {**HEIGHTS, "norm": 31, "attention": 36, "cross-attention": 36}
"""Heights if an attention would have no room for two lines, at the cost of the others; also for one line."""

GAP, HEADER, FOOTER, EDGE = 18, 22, 16, 6
"""Distances around boxes.

Between two boxes, above a block's boxes for its name, below them for the shape that enters, and around
everything.
"""

SMALLEST, LARGEST, ROOMY = 0.8, 1.3, 600
"""Least scale of boxes if there are many, greatest scale in a frame to fill, and height that suffices."""

LOWEST, LOWEST_IN_FRAME = 0.6, 0.4
"""Least scale of boxes in a low window, which can be scrolled, and in a frame, which cannot."""

ROOMS, NARROW_ROOMS, NARROW = (22, 12, 44), (17, 6, 22), 240
"""Room around stacks.

Beside a box for the arrow around it, from there to the frame, and between two stacks; the same for narrow
stacks; and the width below which a stack is narrow.
"""

WIDE = 450
"""Width of a stack in which the notes of low boxes are beside their titles."""

WIDEST_BOX, WIDEST_LOW_BOX = 270, 420
"""Width of a box with room for its note below its title, and of a box with the note beside it."""


@dataclass(frozen=True, eq=False)
class Box:
    """A box: its name for a click, its kind, its text, and the boxes that lead to it.

    The first of the `notes` that fits stands below the title. `stack` is its column, "" if there is only one.
    `block` names the frame around it, if any. `allowed`, (query, key), is the mask of an attention, None
    without one. `shape` is written at the arrows that leave it.
    """

    name: str
    kind: str
    title: str
    shape: str
    inputs: tuple[str, ...]
    notes: tuple[str, ...] = ()
    stack: str = ""
    block: str = ""
    allowed: np.ndarray | None = None


@dataclass(frozen=True)
class Layout:
    """Positions of everything, from the top left corner.

    `gap` is the distance between boxes, `lanes` the x of the arrows around boxes in each stack. `blocks` are
    the frames around blocks, by stack. Words have no box, but `lines`.
    """

    height: float
    gap: float
    boxes: Mapping[str, RotatedRect]
    lanes: Mapping[str, float]
    blocks: Mapping[str, tuple[RotatedRect, str]]
    lines: Mapping[str, Title]


def layout(
    boxes: Sequence[Box], width: float, tallest: float = inf, *, least_type: float = 12, fills: bool = False
) -> Layout:
    """Return positions of `boxes`, from the bottom upwards in the order given, within `tallest`.

    Words have several lines if they do not fit one in the `least_type`. A layout that `fills` its frame is as
    high as `tallest`, unless its boxes would become too large.
    """
    stacks = list(dict.fromkeys(box.stack for box in boxes))
    columns = {stack: [box for box in boxes if box.stack == stack] for stack in stacks}
    lane, frame, channel = NARROW_ROOMS if width / len(stacks) < NARROW else ROOMS
    share = (width - channel * (len(stacks) - 1)) / len(stacks)
    room = share - lane + (channel - 2 * EDGE) * (len(stacks) > 1)
    lines = {box.name: _lines(box.title, room, least_type) for box in boxes if box.kind == "words"}
    more_lines = max((len(one.lines) for one in lines.values()), default=1) - 1
    words = {"words": HEIGHTS["words"] + LINE_OF_WORDS * more_lines}
    usual = (HEIGHTS,) if width / len(stacks) >= WIDE else (HEIGHTS, NARROW_HEIGHTS)
    choices = [{**heights, **words} for heights in (*usual, LOW_HEIGHTS)]
    heights, grown = _heights(columns.values(), tallest, choices, fills=fills)
    height = max(_height(column, grown, heights) for column in columns.values())
    is_low = heights["attention"] == LOW_HEIGHTS["attention"]
    box_width = min(share - lane - 2 * frame - 2, WIDEST_LOW_BOX if is_low else WIDEST_BOX)
    frames: dict[str, RotatedRect] = {}
    lanes: dict[str, float] = {}
    blocks: dict[str, tuple[RotatedRect, str]] = {}
    for at, (stack, column) in enumerate(columns.items()):
        # Arrows around boxes stay on the outside: another arrow runs between two stacks.
        outwards = 1 if at else -1
        middle = at * (share + channel) + share / 2 - outwards * lane / 2
        lanes[stack] = middle + outwards * (box_width / 2 + lane)
        frames |= _stacked(column, middle, height, box_width, grown, heights)
        inner = [frames[box.name] for box in column if box.block]
        if inner:
            name = next(box.block for box in column if box.block)
            blocks[stack] = _around(inner, lanes[stack], outwards * frame, box_width), name
    return Layout(height, GAP * grown, frames, lanes, blocks, lines)


def _lines(words: str, room: float, least_type: float) -> Title:
    """Return words in one line, or several in the `least_type`; words without room are left out."""
    one = title(words, room, smallest=least_type, usual=WORD)
    longest, last = room / one.size, " ".join(one.lines[MOST_LINES - 1 :])
    lines = [*one.lines[: MOST_LINES - 1], last] if last else one.lines
    return Title(lines=[whole_words(line, longest=longest) for line in lines], size=one.size)


def _heights(
    columns: Collection[Sequence[Box]], tallest: float, choices: Sequence[Mapping[str, int]], *, fills: bool
) -> tuple[Mapping[str, int], float]:
    """Return the first heights with room for two lines in an attention, or the last, and their scale.

    Boxes become taller or lower so that the tallest stack fills its place.
    """
    for heights in choices:
        fixed, natural = (max(_height(column, grown, heights) for column in columns) for grown in (0, 1))
        grown = LARGEST if fills else min(max(ROOMY / natural, SMALLEST), 1.0)
        grown = max(min(grown, (tallest - fixed) / (natural - fixed)), LOWEST_IN_FRAME if fills else LOWEST)
        if heights["attention"] * grown >= ROOM_FOR_NOTE:
            break
    return heights, grown


def _height(column: Sequence[Box], grown: float, heights: Mapping[str, int]) -> float:
    """Return the height that a stack needs."""
    boxes = sum(_box_height(box, grown, heights) for box in column)
    framed = HEADER + FOOTER if any(box.block for box in column) else 0
    return boxes + GAP * grown * (len(column) - 1) + framed + 2 * EDGE


def _box_height(box: Box, grown: float, heights: Mapping[str, int]) -> float:
    own = heights.get(box.kind, OTHER)
    return own if box.kind == "words" else own * (min(grown, 1) if box.kind == "sum" else grown)


def _stacked(
    column: Sequence[Box],
    middle: float,
    height: float,
    width: float,
    grown: float,
    heights: Mapping[str, int],
) -> dict[str, RotatedRect]:
    """Return frames one above the other, with more room where the frame of a block passes."""
    frames, bottom, before = {}, height - EDGE, None
    for box in column:
        if before is not None:
            bottom -= GAP * grown
            if before.block != box.block:
                bottom -= HEADER if before.block else FOOTER
        tall = _box_height(box, grown, heights)
        across = tall if box.kind == "sum" else width
        frames[box.name] = RotatedRect(middle, bottom - tall / 2, across, tall)
        bottom -= tall
        before = box
    return frames


def _around(inner: Sequence[RotatedRect], lane: float, outwards: float, width: float) -> RotatedRect:
    """Return the frame of a block: around its boxes, the arrows beside them, and a line for its name.

    `outwards` is the distance from the boxes to the frame, below 0 if the arrows are on the left.
    """
    top, bottom = min(one.top for one in inner) - HEADER, max(one.bottom for one in inner) + FOOTER + 2
    outer = lane + outwards
    other = inner[0].x - outwards - (width / 2 if outwards > 0 else -width / 2)
    left, right = sorted((outer, other))
    return RotatedRect((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)
