"""One row of attention as arcs above a sentence, from the query to its keys."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float

from viz.layout.boxes import RotatedRect
from viz.layout.figure import Figure
from viz.layout.pen import Pen
from viz.picture import Picture
from viz.room import Room
from viz.text import em_width, label, plain, unique_words
from words import counted, per_cent

Row = Float[np.ndarray, "key"]

SMALLEST = 0.005
"""Smallest weight with an arc and a number; smaller ones are in the table."""

THICKEST, FAINTEST = 16, 0.3
"""Width of an arc of all attention, and opacity of an arc of hardly any."""

WORD, SHARE = (21, 16), (16, 13)
"""Type sizes of words and numbers, with words side by side and with turned words."""

GAP, FLAT, TURNED = 24, 64, 116
"""Least distance of two words, and heights below the arcs for words side by side and for turned words."""

TALLEST, LOWEST, ANGLE = 150, 0.3, -60
"""Height of the highest arc, least share of it for the lowest, and the angle of turned words."""

NO_BREAK = "\u00a0"

LEANS = 0.6
"""Reach of a turned word to the left beyond half its length, in em."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Arcs(Picture):
    """The attention of a word as an arc to each word, with the weight as width and opacity.

    `weights` are the weights of the word at `query` for all words, 0 for words that it may not attend to.
    Words without room side by side are turned.
    """

    weights: Row
    words: Sequence[str]
    query: int

    def draw(self, room: Room) -> Figure:
        _, turned = _places(self.words, room.width)
        height = TALLEST + THICKEST + (TURNED if turned else FLAT)
        pen = Pen.in_room(room, lambda _: height, fits=lambda width: _places(self.words, width)[1] == turned)
        middles, _ = _places(self.words, pen.width)
        for key in np.argsort(self.weights):
            if self.weights[key] >= SMALLEST:
                self._draw_arc(pen, middles, int(key))
        for at, x in enumerate(middles):
            self._write_word(pen, x, at, turned=turned)
        return pen.finished()

    def alt(self) -> str:
        names, weights = unique_words(self.words), self.weights
        order = [int(key) for key in np.argsort(-weights, kind="stable") if weights[key] >= SMALLEST]
        details = ", ".join(f"{per_cent(float(weights[key]))} to {names[key]}" for key in order)
        others = len(names) - len(order)
        rest = per_cent(max(0.0, float(1 - weights[order].sum())))
        left = f" The other {counted(others, 'word')}: {rest}." if others else ""
        return f"Arcs from {plain(names[self.query])}: {details}.{left}"

    def table(self) -> pd.DataFrame:
        rows = pd.Index(unique_words(self.words), name="word")
        return pd.DataFrame({"attention weight": self.weights}, index=rows)

    def _draw_arc(self, pen: Pen, middles: Sequence[float], key: int) -> None:
        """Draw one arc; from a word to itself it is a loop."""
        begin, end, weight = middles[self.query], middles[key], float(self.weights[key])
        furthest = max(abs(middle - begin) for middle in middles) or 1.0
        height = TALLEST * (LOWEST + (1 - LOWEST) * abs(end - begin) / furthest) * 4 / 3
        left, right = (begin, end) if key != self.query else (begin - GAP, begin + GAP)
        floor = TALLEST + THICKEST
        path = (
            f"M {begin:.1f},{floor - 4:.1f} C {left:.1f},{floor - height:.1f} "
            f"{right:.1f},{floor - height:.1f} {end:.1f},{floor - 4:.1f}"
        )
        strength = FAINTEST + (1 - FAINTEST) * weight
        pen.curve(path, pen.theme.attention, width=1 + (THICKEST - 1) * weight, opacity=strength)

    def _write_word(self, pen: Pen, x: float, at: int, *, turned: bool) -> None:
        """Write a word and its share of attention, and frame the query."""
        floor, weight = TALLEST + THICKEST, self.weights[at]
        asks, text = at == self.query, label(self.words[at])
        look: dict[str, Any] = {"colour": pen.theme.query} if asks else {}
        look |= {"bordercolor": pen.theme.query, "borderwidth": 2, "borderpad": 2} if asks else {}
        look |= {"textangle": ANGLE, "xanchor": "right"} if turned else {}
        bold = f"<b>{text}</b>" if asks or weight >= 0.5 else text
        size, y = WORD[turned], floor + (SHARE[turned] + 10 if turned else 4)
        pen.write(bold, x + (size / 2 if turned else 0), y, size=size, yanchor="top", **look)
        said = per_cent(float(weight))
        pen.add_hit_area(
            RotatedRect(x, floor + 20, 44, 44), "", f"{label(self.words[self.query])} → {text}: {said}"
        )
        if weight >= SMALLEST:
            share = f"<b>{said.replace(' ', '' if turned else NO_BREAK)}</b>"
            y = floor + (2 if turned else 36)
            pen.write(share, x, y, size=SHARE[turned], colour=pen.theme.attention, yanchor="top")


def _places(words: Sequence[str], width: float) -> tuple[list[float], bool]:
    """Return the middles of words, and whether they are turned because they have no room side by side."""
    widths = [em_width(word) * WORD[0] for word in words]
    gap = (width - sum(widths)) / len(words)
    if gap < GAP:
        left = max(widths[0] * WORD[1] / WORD[0] / 2 + LEANS * WORD[1], width / len(words) / 2)
        step = (width - left) / (len(words) - 0.5)
        return [left + step * at for at in range(len(words))], True
    ends = accumulate(one + gap for one in widths)
    return [end - (one + gap) / 2 for end, one in zip(ends, widths, strict=True)], False
