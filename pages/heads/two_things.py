"""Two things: a task in which one head loses half of what is asked for, and two heads nothing."""

import numpy as np
import pandas as pd
import streamlit as st

from core.measures.heads.two_things import (
    STEPS,
    WORDS,
    Learned,
    balance_table,
    learn,
    learning_table,
    lost_alone,
)
from core.programs.heads import fetching_program
from pages.controls.chart import chart
from pages.controls.cited import equation, footnote
from pages.controls.link import slide
from pages.controls.picture import picture, theme
from pages.controls.screen import columns
from pages.shell import Program, Scene
from viz.bar_rows import bar_rows, describe_bar_rows
from viz.theme import Theme
from viz.units import per_cent

SHARES = {at / 4: per_cent(at / 4) for at in range(5)}
FINE = np.linspace(0, 1, 101)
ENDS = {float(steps): str(steps) for steps in range(0, STEPS + 1, 100)}
NAMES = {1: "one head", 2: "two heads"}
EQUATION = (
    r"h_i^{(\ell)} = \sum_j \alpha_{ij}^{(\ell)} v_j^{(\ell)}, \qquad "
    r"h_i = O\,\bigl[h_i^{(1)}; \cdots; h_i^{(k)}\bigr]"
)


def two_things(scene: Scene) -> Program:
    """A slider over the balance of one head, what it loses of each content, and what learning makes of it."""
    st.markdown(
        "Every word of `Maria met Zuko` carries a content, a number of its own. *met* has to fetch the "
        "content of **Maria** and the content of **Zuko** and keep them apart. One head returns one weighted "
        "average."
    )
    with st.container(horizontal=True, vertical_alignment="center", key="inline_balance"):
        st.markdown("attention weight on Maria, in %", width="content")
        percent = slide("maria", notes=scene.notes)
    share = percent / 100
    left, right = columns(2)
    with left:
        _balance(share)
    with right:
        _learning()
    first, second = lost_alone(share)
    st.markdown(
        f"With {percent} % of its attention weight on Maria, one head loses at least **{per_cent(first)}** "
        f"of her content and **{per_cent(second)}** of Zuko's: **{per_cent((first + second) / 2)} of both, "
        "as at every other balance**. The task is a matrix of rank 2, and every head adds a matrix of rank 1."
    )
    _weights()
    return Program(fetching_program)


@st.cache_resource(max_entries=4, show_spinner="Two small layers learn the task …")
def _learned() -> dict[str, Learned]:
    return {name: learn(n_heads) for n_heads, name in NAMES.items()}


def _colours(look: Theme) -> dict[str, str]:
    return {"Maria": look.value, "Zuko": look.key, "both, mean": look.query, "two heads": look.muted}


def _balance(share: float) -> None:
    """What is lost of each content, and of both, against the share of one head's weight."""
    table = balance_table(FINE)
    st.markdown("## What one head loses as its attention weight moves to Maria")
    chart(
        table,
        key="balance",
        what="Share of the contents lost",
        x="share",
        y="lost",
        by="of",
        say=per_cent,
        colours=_colours(theme()),
        x_title="attention weight on Maria",
        y_title="share of the content lost",
        x_ticks=SHARES,
        y_ticks=SHARES,
        mark=share,
        mark_name=per_cent(share),
        height=300,
    )


def _learning() -> None:
    """How the loss falls while a layer with one head and one with two learn the task."""
    table, look = learning_table(_learned()), theme()
    st.markdown("## Loss during training")
    chart(
        table,
        key="two_things_learning",
        what="Share of both contents lost during training",
        x="steps",
        y="lost",
        by="network",
        say=per_cent,
        colours={"one head": look.query, "two heads": look.muted},
        x_title="steps",
        y_title="share of both lost",
        x_ticks=ENDS,
        y_ticks=SHARES,
        height=300,
    )


def _weights() -> None:
    """Where the heads that have learned the task look."""
    learned, look = _learned(), theme()
    one, two = (learned[name] for name in NAMES.values())
    rows = {"one head": look.query, "first of two": look.muted, "second of two": look.muted}
    shares = np.concatenate([one.pattern, two.pattern])
    left, right = columns(2)
    with right:
        st.markdown(
            f"After {STEPS} training steps one head loses **{per_cent(one.lost[-1])}** and two heads lose "
            f"**{per_cent(two.lost[-1])}**. Both layers have equally many value and output weights: what one "
            "head lacks is a second weighted average. The output matrix can separate two that differ."
        )
        equation(EQUATION, "CS 224N note, eq 22 and 24")
        footnote("E4")
    with left:
        st.markdown("## What *met* attends to after training")
        _bars(shares, rows)


def _bars(shares: np.ndarray, rows: dict[str, str]) -> None:
    look = theme()
    picture(
        bar_rows(shares, rows, WORDS, top=1, theme=look),
        key="two_things_learned",
        alt=describe_bar_rows(shares, list(rows), WORDS, what="Attention weights of met after training"),
        table=lambda: pd.DataFrame(shares, index=pd.Index(list(rows), name="head"), columns=list(WORDS)),
    )
