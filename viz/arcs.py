"""One row of attention as arcs above a sentence, from the word that asks to those it attends to."""

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from jaxtyping import Float

from core.words import counted, per_cent
from viz.parts.figure_cache import cached_figure
from viz.parts.sketch import Sketch, blank, trace_of
from viz.picture import Picture, finished
from viz.tables import named, unique_words
from viz.text import em_width, label, plain
from viz.theme import Theme

Row = Float[np.ndarray, "key"]

SMALLEST = 0.005
"""The smallest weight that has an arc and a number; the others are in the table."""

THICKEST, FAINTEST = 16, 0.3
"""Pixels of an arc of all attention, and how strong one of hardly any is."""

WORD, SHARE = (21, 16), (16, 13)
"""Type sizes of words and numbers, with room for words side by side and without."""

GAP, FLAT, TURNED = 24, 64, 116
"""Pixels between two words at least, and below the arcs for words side by side and for turned ones."""

TALLEST, LOWEST, ANGLE = 150, 0.3, -60
"""Pixels of the highest arc, its part that the lowest has at least, and the angle of turned words."""

LEANS = 0.6
"""How much further to the left than half its length a turned word reaches, in em."""


class _Places(NamedTuple):
    """Where words stand, in pixels: their middles, and whether they are turned for want of room."""

    middles: tuple[float, ...]
    turned: bool


def arcs(weights: Row, words: Sequence[str], *, query: int, of: str, theme: Theme, width: int) -> Picture:
    """The weights that the word at `query` gives to all words, 0 to those that it may not attend to.

    They are those `of` a head, as titles name it. The larger a weight, the thicker and
    stronger its arc. Words that have no room side by side in `width` pixels are turned.
    """
    return finished(
        _drawn(weights, words, query=query, theme=theme, width=width),
        alt=_alt(weights, words, query),
        table=lambda: _listed(weights, words),
        title=f"Attention weights of {named(words, query)}, {of}",
    )


@cached_figure
def _drawn(weights: Row, words: Sequence[str], *, query: int, theme: Theme, width: int) -> go.Figure:
    places = _places(words, width)
    foot = TURNED if places.turned else FLAT
    sketch = blank(theme, height=TALLEST + foot + THICKEST, width=width)
    height = sketch.layout["height"]
    bare = {"visible": False, "fixedrange": True}
    sketch.update_layout(
        margin={"l": 0, "r": 0, "t": 0, "b": 0},
        xaxis=bare | {"range": [0, width]},
        yaxis=bare | {"range": [-foot, height - foot]},
    )
    for key in np.argsort(weights):
        if weights[key] >= SMALLEST:
            _arc(sketch, places.middles, query, int(key), float(weights[key]), theme)
    for at, word in enumerate(words):
        _word(sketch, places, at, word, float(weights[at]), asks=at == query, theme=theme)
    sketch.add_trace(_pointed_at(weights, words, query, places))
    return sketch.finished()


def _places(words: Sequence[str], width: int) -> _Places:
    """Side by side where words have room, with what is left shared out among the gaps; else evenly."""
    widths = [em_width(word) * WORD[0] for word in words]
    gap = (width - sum(widths)) / len(words)
    if gap < GAP:
        left = max(widths[0] * WORD[1] / WORD[0] / 2 + LEANS * WORD[1], width / len(words) / 2)
        step = (width - left) / (len(words) - 0.5)
        return _Places(tuple(left + step * at for at in range(len(words))), turned=True)
    ends = accumulate(one + gap for one in widths)
    return _Places(tuple(end - (one + gap) / 2 for end, one in zip(ends, widths, strict=True)), turned=False)


def _arc(sketch: Sketch, middles: Sequence[float], query: int, key: int, weight: float, theme: Theme) -> None:
    """One arc; that of a word to itself is a loop."""
    begin, end = middles[query], middles[key]
    furthest = max(abs(middle - begin) for middle in middles) or 1.0
    height = TALLEST * (LOWEST + (1 - LOWEST) * abs(end - begin) / furthest) * 4 / 3
    left, right = (begin, end) if query != key else (begin - GAP, begin + GAP)
    sketch.add_shape(
        type="path",
        path=f"M {begin:.1f},4 C {left:.1f},{height:.1f} {right:.1f},{height:.1f} {end:.1f},4",
        line={"color": theme.attention, "width": 1 + (THICKEST - 1) * weight},
        opacity=FAINTEST + (1 - FAINTEST) * weight,
        layer="below",
    )


def _word(
    sketch: Sketch, places: _Places, at: int, word: str, weight: float, *, asks: bool, theme: Theme
) -> None:
    """A word and the share of attention that it gets; the one that asks has a frame in its colour."""
    turned = places.turned
    below = {"x": places.middles[at], "showarrow": False, "yanchor": "top"}
    text = label(word)
    look = {"size": WORD[turned], "color": theme.query if asks else theme.ink}
    frame = {"bordercolor": theme.query, "borderwidth": 2, "borderpad": 2} if asks else {}
    if turned:
        frame |= {"textangle": ANGLE, "xanchor": "right", "xshift": WORD[turned] / 2}
    sketch.add_annotation(
        text=f"<b>{text}</b>" if asks or weight >= 0.5 else text,
        y=-(SHARE[turned] + 10) if turned else -4,
        font=look,
        **below,
        **frame,
    )
    if weight >= SMALLEST:
        share = {"size": SHARE[turned], "color": theme.attention}
        text = per_cent(weight).replace(" ", "" if turned else "\u00a0")
        sketch.add_annotation(text=f"<b>{text}</b>", y=-2 if turned else -36, font=share, **below)


def _pointed_at(weights: Row, words: Sequence[str], query: int, places: _Places) -> dict[str, object]:
    """What is said of a word that one points at."""
    return trace_of(
        "scatter",
        x=np.array(places.middles),
        y=np.full(len(words), -20.0),
        mode="markers",
        marker={"size": 44, "opacity": 0},
        hovertext=[
            f"{label(words[query])} → {label(word)}: {per_cent(float(weight))}"
            for word, weight in zip(words, weights, strict=True)
        ],
        hoverinfo="text",
    )


def _alt(weights: Row, words: Sequence[str], query: int) -> str:
    """The weights that have arcs, the largest first, and what is left for the others together."""
    names = unique_words(words)
    order = [int(key) for key in np.argsort(-weights, kind="stable") if weights[key] >= SMALLEST]
    told = ", ".join(f"{per_cent(float(weights[key]))} to {names[key]}" for key in order)
    others = len(words) - len(order)
    left = f" The other {counted(others, 'word')}: {per_cent(max(0.0, float(1 - weights[order].sum())))}."
    return f"Arcs from {plain(names[query])}: {told}.{left if others else ''}"


def _listed(weights: Row, words: Sequence[str]) -> pd.DataFrame:
    rows = pd.Index(unique_words(words), name="word")
    return pd.DataFrame({"attention weight": weights}, index=rows)
