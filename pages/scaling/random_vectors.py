"""Random vectors: one row of weights at any length, and how far apart the scores lie as it grows."""

import numpy as np
import pandas as pd
import streamlit as st
from jaxtyping import Float

from core.measures.scaling import BY_ROOT_D, N_KEYS, N_ROWS, PLAIN, word_rows
from core.programs.scaling import row_program
from pages.controls.chart import chart
from pages.controls.cited import equation
from pages.controls.link import word_menu
from pages.controls.memory import remembered
from pages.controls.picture import picture, theme
from pages.controls.screen import columns
from pages.scaling.growth import (
    LENGTHS,
    at_width,
    choose_length,
    colours,
    decimals,
    growth,
)
from pages.shell import Program, Scene
from viz.bar_rows import bar_rows, describe_bar_rows
from viz.tables import unique_words
from viz.units import per_cent

ROOT = "√d"
EQUATION = r"\alpha = \text{softmax}\!\left(\frac{x Q K^\top x^\top}{\sqrt{d}}\right)"
SPREADS = {float(2**power): str(2**power) for power in range(6)}


def random_vectors(scene: Scene) -> Program:
    """A slider over the length of the vectors; a row of weights, and the spread of the scores behind it."""
    words, seed = scene.words, scene.switches.seed
    with scene.row:
        d = choose_length(scene.notes)
        word = word_menu("word", words, notes=scene.notes, unchosen="last")
    query = len(words) - 1 if word is None else word
    table = growth(seed)
    left, right = columns(2)
    with left:
        _row(scene, query, d)
    with right:
        _spread(table, d)
    plain, divided = (at_width(table, d, name)["spread"] for name in (PLAIN, BY_ROOT_D))
    st.markdown(
        f"A dot product adds up d products, so its standard deviation grows as √d: at d = {d} the scores of "
        f"random vectors have a standard deviation of **{plain:.2f}**, and √{d} = {d**0.5:.2f}. Divided by "
        f"√d, the standard deviation is **{divided:.2f}**, and close to 1 at every other d."
    )
    equation(EQUATION, "CS 224N note, eq 32")
    return Program(
        lambda: row_program(scene.plain, query, d, seed=seed), prints="the weights of the word chosen"
    )


def _row(scene: Scene, query: int, d: int) -> None:
    """The weights that one word gives all words, with and without the division."""
    rows, words, look = _weights(scene.words, query, d, scene.switches.seed), scene.plain, theme()
    st.markdown(f"## What **{scene.words[query]}** attends to, with random vectors of {d} dimensions")
    picture(
        bar_rows(rows, colours(look), words, top=1, theme=look, chosen=query),
        key="row",
        alt=describe_bar_rows(rows, [PLAIN, BY_ROOT_D], words, what=f"Attention weights at {d} dimensions"),
        table=lambda: _table(rows, words),
    )
    if len(words) > 1:
        shares = ", ".join(
            f"{per_cent(row.max())} ({name})" for name, row in zip(colours(look), rows, strict=True)
        )
        st.markdown(f"Largest attention weight: {shares}.")
    else:
        st.markdown("A single word attends to itself alone: type a second one.")


@remembered(256)
def _weights(words: tuple[str, ...], query: int, d: int, seed: int) -> Float[np.ndarray, "division key"]:
    return word_rows(words, query, d, seed=seed)


def _table(rows: Float[np.ndarray, "division key"], words: tuple[str, ...]) -> pd.DataFrame:
    return pd.DataFrame(rows.T, index=pd.Index(unique_words(words), name="word"), columns=[PLAIN, BY_ROOT_D])


def _spread(table: pd.DataFrame, d: int) -> None:
    """Standard deviation of the scores against d, on logarithmic axes, with the root beside it."""
    root = pd.DataFrame(
        {"dimensions": list(LENGTHS), "scores": ROOT, "spread": [width**0.5 for width in LENGTHS]}
    )
    shown, look = pd.concat([table[["dimensions", "scores", "spread"]], root]), theme()
    st.markdown(f"## Standard deviation of {N_ROWS * N_KEYS:,} random dot products at each d")
    chart(
        shown,
        key="spread",
        what="Standard deviation of scores",
        x="dimensions",
        y="spread",
        by="scores",
        say=decimals,
        colours={ROOT: look.muted, **colours(look)},
        x_title="dimensions d of query and key",
        y_title="standard deviation",
        x_ticks=LENGTHS,
        y_ticks=SPREADS,
        log=True,
        mark=d,
        mark_name=f"d = {d}",
        height=300,
    )
