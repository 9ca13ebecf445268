"""The numbers of a state, the logit of each word and its probability."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from viz.layout.canvas import MARGIN, Box, Canvas, canvas
from viz.layout.figure import Figure
from viz.layout.rows import BESIDE, fit_lines
from viz.layout.sketch import trace_of
from viz.picture import Picture
from viz.room import Room
from viz.text import em_width, plain
from words import counted, probability, two_decimals

HEADING, STATE = 26, 44
"""Height in pixels of a heading, and of the bars of a state."""

SHARE_OF_LOGITS = 0.42
"""The share of the bars' width that the logits take."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Logits(Picture):
    """The numbers of a state, and a row for each word: its logit and its probability.

    `words` has the columns `word`, `logit`, `probability`, and `answer`, true of a word in the colour of a
    choice. Bars of logits begin at 0, those of probabilities run from 0 to 1. `logit` is the heading above
    the logits.
    """

    words: pd.DataFrame
    state: ArrayLike
    logit: str
    behind: Callable[[], pd.DataFrame] | None = field(default=None, compare=False)

    def draw(self, room: Room) -> Figure:
        table, theme = self.words, room.theme
        head = 2 * HEADING + STATE + BESIDE
        names, answers = list(table["word"]), list(table["answer"])
        lines = fit_lines(names, answers, [0.0] * len(names), room, head + MARGIN)
        drawn = canvas(room.width, head + lines.height + MARGIN, theme)
        logits, shares = list(map(two_decimals, table["logit"])), list(map(probability, table["probability"]))
        number, share = (
            max(map(em_width, texts)) * lines.number_size + 2 * BESIDE for texts in (logits, shares)
        )
        left = lines.width + number
        both = room.width - left - share - 2 * BESIDE
        first = Box(left, head, both * SHARE_OF_LOGITS, lines.height)
        second = Box(first.right + share, head, both - first.width, lines.height)
        span = _span(table["logit"])
        zero = {"zeroline": True, "zerolinecolor": theme.muted, "visible": True, "showgrid": False}
        for at, box, column, ends in (("", first, "logit", span), ("2", second, "probability", (0.0, 1.0))):
            across, upwards = drawn.domains(box, 0)
            axis = {"fixedrange": True, "showticklabels": False, "domain": across, "range": ends}
            drawn.figure.layout[f"xaxis{at}"] = {**zero, **axis, "anchor": f"y{at}"}
            upright = lines.axis(theme, number) | {"domain": upwards, "anchor": f"x{at}"}
            drawn.figure.layout[f"yaxis{at}"] = upright | {"showticklabels": column == "logit"}
            colour = {"color": theme.muted if column == "logit" else theme.attention}
            drawn.figure.add_trace(
                lines.bars(
                    table[column],
                    colour,
                    xaxis=f"x{at}",
                    yaxis=f"y{at}",
                    hovertemplate="%{x:.4g}<extra></extra>",
                )
            )
        for box, texts in ((first, logits), (second, shares)):
            for place, text in zip(lines.places, texts, strict=True):
                look = {"font": {"size": lines.number_size}, "xanchor": "right", "yanchor": "middle"}
                drawn.note(text, box.left - BESIDE, head + (float(place) + 0.5) * lines.row, **look)
        size = max(room.smallest_type, 15)
        heading = {"font": {"size": size, "color": theme.muted}, "xanchor": "left", "yanchor": "middle"}
        of_shares = "→ softmax → probability"
        if em_width(of_shares) * size > room.width - second.left:
            of_shares = (
                "→ softmax → p" if em_width("→ softmax → p") * size <= room.width - second.left else "→ p"
            )
        drawn.note(f"→ {self.logit}", first.left, head - HEADING / 2, **heading)
        drawn.note(of_shares, second.left, head - HEADING / 2, **heading)
        drawn.note(self._of_state(), MARGIN, HEADING / 2, **heading)
        _draw_state(drawn, self._state(), Box(MARGIN, HEADING, room.width - 2 * MARGIN, STATE))
        return drawn.finished()

    def alt(self) -> str:
        """The size of the state, every word with both of its numbers."""
        told = [
            f"{plain(word)} {two_decimals(logit)} to {probability(share)}"
            for word, logit, share in zip(
                self.words["word"], self.words["logit"], self.words["probability"], strict=True
            )
        ]
        return f"{self._of_state()}. Logits to probabilities by the softmax: {', '.join(told)}."

    def table(self) -> pd.DataFrame:
        return self.words if self.behind is None else self.behind()

    def _state(self) -> np.ndarray:
        return np.asarray(self.state, dtype=np.float32)

    def _of_state(self) -> str:
        state = self._state()
        span = f"from {two_decimals(state.min())} to {two_decimals(state.max())}"
        return f"last state h: {counted(len(state), 'number')}, {span}"


def _draw_state(drawn: Canvas, state: np.ndarray, box: Box) -> None:
    """Draw a bar for each dimension, up from a line at zero or down."""
    across, upwards = drawn.domains(box, 0)
    largest = float(np.abs(state).max()) or 1.0
    hidden = {"fixedrange": True, "visible": False}
    drawn.figure.layout["xaxis3"] = {**hidden, "domain": across, "anchor": "y3"}
    drawn.figure.layout["yaxis3"] = {
        "fixedrange": True,
        "showgrid": False,
        "showticklabels": False,
        "zerolinecolor": drawn.theme.line,
        "domain": upwards,
        "anchor": "x3",
        "range": (-largest, largest),
    }
    below, above = drawn.theme.signs
    drawn.figure.add_trace(
        trace_of(
            "bar",
            x=np.arange(len(state)) + 1,
            y=state,
            marker={"color": [below if one < 0 else above for one in state.tolist()]},
            xaxis="x3",
            yaxis="y3",
            hovertemplate="dimension %{x}: %{y:.3f}<extra></extra>",
        )
    )


def _span(logits: pd.Series) -> tuple[float, float]:
    """From 0 to the logit that is furthest from it, or across 0 where there are some on both sides."""
    low, high = min(0.0, float(logits.min())), max(0.0, float(logits.max()))
    return (low, high) if low < high else (0.0, 1.0)
