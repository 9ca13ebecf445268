"""The numbers of a state, the logit of each word and its probability."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from viz.layout.bars import draw_bars, draw_empty
from viz.layout.canvas import MARGIN, Canvas, canvas
from viz.layout.figure import Figure
from viz.layout.plot import Plot
from viz.layout.rows import BESIDE, fit_lines
from viz.layout.ruler import Ruler
from viz.picture import Picture
from viz.room import Room
from viz.text import em_width, label, plain
from words import counted, probability, two_decimals

HEADING, STATE = 26, 60
"""Height in pixels of a heading, and of the bars of a state."""

OF_SHARES = "→ softmax → probability", "→ softmax → p", "→ p"
"""Headings above the probabilities, the longest first."""

SHARE_OF_LOGITS = 0.42
"""Share of the bars' width for the logits."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Logits(Picture):
    """The numbers of a state, and a row for each word: its logit and its probability.

    `words` has the columns `word`, `logit`, `probability`, and `answer`, which is true for a word in the
    colour of a choice, with its numbers; if it is true for none, the word with the largest logit is.
    Bars of logits begin at 0, those of probabilities run from 0 to 1. `logit` is the heading above the
    logits.
    """

    words: pd.DataFrame
    state: ArrayLike
    logit: str

    def draw(self, room: Room) -> Figure:
        table, theme, names = self.words, room.theme, list(self.words["word"])
        head = 2 * HEADING + STATE + BESIDE
        marked = table["answer"] if table["answer"].any() else table["logit"] == table["logit"].max()
        lines = fit_lines(names, list(marked), [0.0] * len(names), room, head + MARGIN)
        drawn = canvas(room.width, head + lines.height + MARGIN, theme)
        texts = list(map(two_decimals, table["logit"])), list(map(probability, table["probability"]))
        wide = [max(map(em_width, some)) * lines.number_size + 2 * BESIDE for some in texts]
        both = room.width - lines.width - sum(wide) - 2 * BESIDE
        lefts = lines.width + wide[0], lines.width + sum(wide) + both * SHARE_OF_LOGITS
        lengths = both * SHARE_OF_LOGITS, both * (1 - SHARE_OF_LOGITS)
        parts = ("logit", _span(table["logit"]), theme.muted), ("probability", (0.0, 1.0), theme.attention)
        for at, (column, (low, high), colour) in enumerate(parts):
            along = Ruler(low=low, high=high, length=lengths[at])
            plot = lines.plot(drawn, lefts[at], head, along, number=at + 1)
            zero = {"zeroline": True, "zerolinecolor": theme.muted, "showline": False}
            plot.axis("xaxis").update(showticklabels=False, **zero)
            plot.axis("yaxis").update(ticklabelstandoff=round(wide[0]), showticklabels=not at)
            hovers = [f"{label(name)}: {value:.4g}" for name, value in zip(names, table[column], strict=True)]
            lines.draw_bars(plot, table[column], {"color": colour}, hovers)
            for place, text, is_marked in zip(lines.places, texts[at], marked, strict=True):
                shown, colour = (f"<b>{text}</b>", theme.selection) if is_marked else (text, theme.ink)
                x, y = lefts[at] - BESIDE, head + (float(place) + 0.5) * lines.row
                drawn.note(shown, x, y, "right middle", size=lines.number_size, colour=colour)
        size = max(room.smallest_type, 15)
        heading: dict[str, Any] = {"anchor": "left middle", "size": size, "colour": theme.muted}
        free = (room.width - lefts[1]) / size
        of_shares = next((one for one in OF_SHARES if em_width(one) <= free), OF_SHARES[-1])
        drawn.note(f"→ {self.logit}", lefts[0], head - HEADING / 2, **heading)
        drawn.note(of_shares, lefts[1], head - HEADING / 2, **heading)
        headings = (self._of_state(), self._of_state("vector h"))
        fits = (one for one in headings if em_width(one) * size <= room.width - 2 * MARGIN)
        drawn.note(next(fits, headings[-1]), MARGIN, HEADING / 2, **heading)
        self._draw_state(drawn)
        return drawn.finished()

    def alt(self) -> str:
        details = [
            f"{plain(word)} {two_decimals(logit)} to {probability(share)}"
            for word, logit, share in zip(
                self.words["word"], self.words["logit"], self.words["probability"], strict=True
            )
        ]
        return f"{self._of_state()}. Logits to probabilities by the softmax: {', '.join(details)}."

    def table(self) -> pd.DataFrame:
        return self.words if self.make_table is None else self.make_table()

    def _state(self) -> np.ndarray:
        return np.asarray(self.state, dtype=np.float32)

    def _of_state(self, name: str = "vector h that the output layer reads") -> str:
        state = self._state()
        span = f"from {two_decimals(state.min())} to {two_decimals(state.max())}"
        return f"{name}: {counted(len(state), 'number')}, {span}"

    def _draw_state(self, drawn: Canvas) -> None:
        """Draw a bar for each dimension, up or down from a line at zero."""
        state = self._state()
        largest = float(np.abs(state).max()) or 1.0
        along = Ruler(low=0.5, high=len(state) + 0.5, length=drawn.width - 2 * MARGIN)
        up = Ruler(low=-largest, high=largest, length=STATE)
        plot = Plot(paper=drawn, left=MARGIN, top=HEADING, across=along, up=up, number=3)
        draw_empty(plot)
        down, above = drawn.theme.signs
        dimensions = [f"dimension {at}" for at in range(1, len(state) + 1)]
        said = [f"{one:.3f}" for one in state.tolist()]
        draw_bars(plot, "h", dimensions, state, said, [down if one < 0 else above for one in state.tolist()])


def _span(logits: pd.Series) -> tuple[float, float]:
    """Return the range from 0 to the furthest logit, or across 0 if there are some on both sides."""
    low, high = min(0.0, float(logits.min())), max(0.0, float(logits.max()))
    return (low, high) if low < high else (0.0, 1.0)
