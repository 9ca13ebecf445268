"""The pictures of the bottleneck: curves of shares, bars of the words told, maps of contexts, the vector."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from core.measures.translation.vector import FixedVector
from pages.contract.look import Look
from pages.contract.sheet import Shown
from pages.translation.bottleneck_pairs import ALONE, ATTENTIONS, WITH, colours_of
from pages.translation.translator import TRANSFORMER
from viz import spreads
from viz.bar_rows import bars
from viz.curves import chart
from viz.number_map import mapped
from viz.text import counted
from viz.units import per_cent

SHARES = {share / 4: per_cent(share / 4) for share in range(5)}
HEIGHT, LOWEST, ROW = 330, 240, 19
"""Heights in pixels: of curves, and of a map of contexts at least and for each step."""


def by_length(table: pd.DataFrame, look: Look) -> Shown:
    """Whole sentences right, by the length of the source."""
    colours = {**colours_of(look.theme), TRANSFORMER: look.theme.value}
    axes = {
        "title": "Whole sentences translated right against length of the source",
        "y_title": "whole sentences right",
        "x_title": "words in the source sentence",
    }
    return _shares("by_length", table, colours, look, **axes)


def by_distance(table: pd.DataFrame, look: Look) -> Shown:
    """Content words that probes tell, by how many words follow."""
    axes = {
        "title": "Content words told from the vector against words that follow",
        "y_title": "content words told from the vector",
        "x_title": "words that follow in the sentence",
    }
    return _shares("by_distance", table, colours_of(look.theme), look, **axes)


def _shares(key: str, table: pd.DataFrame, colours: Mapping[str, str], look: Look, **axes: Any) -> Shown:
    """Curves of shares with their standard errors, over groups of numbers of words."""
    ticks = {
        row.words: f"{row.first}–{row.last}" if row.first < row.last else f"{row.first}"
        for row in table.itertuples()
    }
    picture = chart(
        table,
        x="words",
        y="share",
        by="model",
        say=per_cent,
        theme=look.theme,
        told_at=ticks,
        behind=lambda: table.drop(columns="words"),
        colours=colours,
        x_ticks=ticks,
        y_ticks=SHARES,
        spread=("low", "high"),
        log="x",
        height=HEIGHT,
        within=look.width,
        **axes,
    )
    return Shown(key, picture)


def told(found: Mapping[str, np.ndarray], words: Sequence[str], look: Look) -> Shown:
    """The probability that the probe of each translator gives to each word."""
    colours = colours_of(look.theme)
    picture = bars(
        np.stack(list(found.values())),
        {name: colours[name] for name in found},
        words,
        title="Probability of each word by a probe of the fixed vector",
        theme=look.theme,
        table=lambda: pd.DataFrame({"word": list(words), **found}),
        top=1.0,
        narrow=look.is_narrow,
    )
    return Shown("told", picture)


def titles(network: str) -> dict[str, str]:
    """Titles of the two maps of contexts."""
    return {
        ALONE: f"Fixed vector at every step, {network} without attention",
        WITH: f"Context at every step, {network} with attention",
    }


def contexts(
    vector: np.ndarray, of_steps: np.ndarray, target: Sequence[str], named: Mapping[str, str], look: Look
) -> tuple[Shown, ...]:
    """One vector at every step, and a context for each step, in the same colours."""
    both = {ALONE: np.tile(vector, (len(target), 1)), WITH: of_steps}
    limit = float(max(np.abs(values).max() for values in both.values()))
    return tuple(
        Shown(
            f"contexts_{ATTENTIONS[kind]}",
            mapped(
                values,
                title=named[kind],
                x_title="dimension",
                y_title="word to be written",
                theme=look.theme,
                height=max(LOWEST, 76 + ROW * len(target)),
                rows=target,
                row_name="word",
                limit=limit,
            ),
        )
        for kind, values in both.items()
    )


def vector(found: FixedVector, n_words: int, look: Look) -> Shown:
    """All numbers that the decoder without attention gets."""
    stages = {"h": found.hidden} | ({"cell": found.cell} if len(found.cell) else {})
    colours = {"h": look.theme.recurrence, "cell": look.theme.value}
    title = f"Fixed vector of a sentence of {counted(n_words, 'word')}"
    return Shown("fixed_vector", spreads.vector(stages, colours, title=title, theme=look.theme))
