"""Heads: the scores of a model on the sentence typed, divided in three ways, for every number of heads."""

import numpy as np
import pandas as pd
import streamlit as st
from jaxtyping import Float

from core.learning.collection.members import HEADS
from core.measures.heads.head_counts import with_each
from core.measures.scaling import BY_ROOT_D, BY_ROOT_D_HEAD, PLAIN, divisors, head_rows, heads_table
from core.programs.scaling import heads_program
from pages.controls.chart import chart
from pages.controls.cited import footnote
from pages.controls.link import word_menu
from pages.controls.memory import remembered
from pages.controls.picture import picture, theme
from pages.controls.screen import columns
from pages.controls.switches import Architecture
from pages.controls.weights import absent_of, note_absent
from pages.scaling.growth import decimals
from pages.shell import Program, Scene
from viz.bar_rows import bar_rows, describe_bar_rows
from viz.tables import unique_words
from viz.text import counted
from viz.theme import Theme

COUNTS = {float(n_heads): str(n_heads) for n_heads in HEADS}
SPREADS = {float(spread): str(spread) for spread in (0, 2, 4, 6, 8, 10)}

Words = tuple[str, ...]


def heads(scene: Scene) -> Program:
    """One word's weights with the three divisions, and the spread of the scores for 1, 2, 4 and 8 heads."""
    words, switches, read = scene.words, scene.switches, scene.reading
    layer, head, config = scene.layer, scene.head, scene.switches.config
    with scene.row:
        word = word_menu("word", words, notes=scene.notes, unchosen="last")
    query = len(words) - 1 if word is None else word
    missing = absent_of(switches.source, with_each(config))
    table = _table(words, switches, layer, missing)
    note_absent(scene.notes, missing)
    by = divisors(read.config)
    lone = bool(table["spread"].isna().all())
    left, right = columns(2)
    with left:
        st.markdown(f"## What **{words[query]}** attends to · layer {layer + 1} · head {head + 1}")
        _row(head_rows(read, layer, head, query), scene.plain, query)
    with right:
        st.markdown(f"## Standard deviation of the scores of layer {layer + 1}, for each number of heads")
        if lone:
            st.markdown("A single word attends to itself alone: type a second one.")
        else:
            _spread(table, config.n_heads)
    if not lone:
        st.markdown(_told(table, config.n_heads, by, trained=switches.weights.trained))
    footnote("E10")
    return Program(lambda: heads_program(scene.subject, query))


@remembered()
def _table(words: Words, switches: Architecture, layer: int, missing: str) -> pd.DataFrame:
    return heads_table(words, switches.config, source=switches.source, seed=switches.seed, layer=layer)


def _colours(look: Theme) -> dict[str, str]:
    return {PLAIN: look.key, BY_ROOT_D: look.value, BY_ROOT_D_HEAD: look.query}


def _row(rows: Float[np.ndarray, "division key"], words: Words, query: int) -> None:
    look = theme()
    picture(
        bar_rows(rows, _colours(look), words, top=rows.max(), theme=look, chosen=query),
        key="head_row",
        alt=describe_bar_rows(
            rows, list(_colours(look)), words, what="Attention weights with three divisions"
        ),
        table=lambda: pd.DataFrame(
            rows.T, index=pd.Index(unique_words(words), name="key"), columns=list(_colours(look))
        ),
    )


def _spread(table: pd.DataFrame, n_heads: int) -> None:
    chart(
        table,
        key="head_spread",
        what="Standard deviation of scores",
        x="heads",
        y="spread",
        by="scores",
        say=decimals,
        colours=_colours(theme()),
        x_title="heads k",
        y_title="standard deviation",
        x_ticks=COUNTS,
        y_ticks=SPREADS,
        log="x",
        mark=n_heads,
        mark_name=f"k = {n_heads}",
        height=300,
    )


def _told(table: pd.DataFrame, n_heads: int, by: dict[str, float], *, trained: bool) -> str:
    """The three spreads of the model on the screen, and what the wrong root does."""
    own = table[table["heads"] == n_heads].set_index("scores")["spread"]
    found = ", ".join(f"{name} {own[name]:.2f}" for name in by)
    if n_heads == 1:
        return f"Standard deviation with one head: {found}. Both roots are the same, because d/k is d."
    return (
        f"With {n_heads} heads: {found}. Each head sums only d/k products, so **√d divides by "
        f"√{n_heads} = {n_heads**0.5:.2f} times too much**. {_trend(table)} None of them must be 1: "
        f"{'learned' if trained else 'these'} queries and keys have a standard deviation of their own."
    )


def _trend(table: pd.DataFrame) -> str:
    """How both divisions go from the fewest heads to the most."""
    counts = table["heads"].dropna()
    ends = (counts.min(), counts.max())
    by_root, by_root_of_head = (
        [float(table[(table["heads"] == k) & (table["scores"] == name)]["spread"].iloc[0]) for k in ends]
        for name in (BY_ROOT_D, BY_ROOT_D_HEAD)
    )
    return (
        f"From {counted(int(ends[0]), 'head')} to {int(ends[1])}, {BY_ROOT_D} goes from {by_root[0]:.2f} to "
        f"{by_root[1]:.2f}, and {BY_ROOT_D_HEAD} from {by_root_of_head[0]:.2f} to {by_root_of_head[1]:.2f}."
    )
