"""Head scores: what every head does, measured on a sample of the language, and a sentence that shows it."""

from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from core.measures.heads.chosen_head import chosen_and_rated
from core.measures.heads.head_scores import (
    ENTROPY,
    INDUCTION,
    LOOKED_AT,
    MEANINGS,
    SAMPLE,
    SAMPLE_IN_PIECES,
    SPECIAL,
    above_chance,
    measure_heads,
    shown_texts,
)
from core.measures.heads.induction import ROWS
from core.measures.heads.standing_out import clearly_above
from pages.controls.arrival import forget, put
from pages.controls.picture import Point, picture, theme
from pages.controls.screen import room
from pages.controls.sentence import put_in
from pages.controls.switches import Architecture
from pages.controls.whole import change
from pages.explorer.program import attention
from pages.shell.attention import WORDS
from pages.shell.program import Program
from pages.shell.scene import Scene
from viz.head_scores import by_head, describe_head_scores, head_at
from viz.head_scores import head_scores as head_scores_figure
from viz.units import per_cent

SHARED_TABLES = 64
HALVES = ("choosing", "rated", "rated_baseline")
NARROW, WIDE = 52, 108
"""Pixels of a column with a whole number and of one with a bar."""

CLEAR = 2
"""A share of attention so many times that of equal weights says something, however small it is."""

SAMPLED = f"Scores are means over {SAMPLE} sentences that no model was trained on."
SAMPLED_IN_PIECES = (
    f"Scores are means over {SAMPLE_IN_PIECES} sentences of a small artificial English, read in pieces that "
    "are merged into words."
)
ON_RANDOM_TOKENS = (
    f"*{INDUCTION.capitalize()}* is measured on {ROWS} rows of random tokens, each repeated once: there only "
    "the earlier mention tells what comes next (Olsson et al. 2022, section 4)."
)
MEASURING = "Measuring every head …"
HOW_TO_READ = (
    "Point at a tile to see what it measures. Click it, or select a row of the table, to open that head on "
    "the sentence that shows it best."
)
UNTRAINED = (
    "Random weights attend to nothing in particular: what differs from equal weights differs by chance. "
    "Choose trained weights to see heads that specialise."
)


def head_scores(scene: Scene) -> Program:
    """The figure of all scores, and the table of them to be sorted."""
    # A real model takes seconds; a spinner that is needed for less than a tenth of one does not show.
    with st.spinner(MEASURING):
        table = measured(scene.switches)
    shares = table[table["score"] != ENTROPY]

    def open_tile(point: Point) -> None:
        tile = head_at(point["x"], point["y"], table=shares)
        if tile is not None:
            layer, head, score = tile
            _open(scene, table, layer + 1, head + 1, score)

    picture(
        head_scores_figure(shares, MEANINGS, theme=theme(), selected=(scene.layer, scene.head), size=room()),
        key="head_scores",
        alt=describe_head_scores(shares),
        table=lambda: _in_full(table),
        on_click=open_tile,
    )
    found = specialist(table) if scene.switches.weights.trained else UNTRAINED
    st.markdown(f"{found} {_sampled(scene, table)} {HOW_TO_READ}")
    _sortable(scene, table)
    return attention(scene)


@st.cache_data(max_entries=SHARED_TABLES, show_spinner=False)
def measured(switches: Architecture) -> pd.DataFrame:
    """The scores of every head of the model that the switches describe, computed once for all visitors."""
    return measure_heads(switches.config, source=switches.source, seed=switches.seed, width=switches.window)


def _sampled(scene: Scene, table: pd.DataFrame) -> str:
    """What the scores are means over."""
    if scene.pieces is None:
        return SAMPLED
    return " ".join([SAMPLED_IN_PIECES, *([ON_RANDOM_TOKENS] if INDUCTION in set(table["score"]) else [])])


def specialist(table: pd.DataFrame) -> str:
    """The head that stands out in one half of the sample, and its share in the other half."""
    top = chosen_and_rated(table)
    value, equal = top["rated"], top["rated_baseline"]
    is_clear = value >= CLEAR * equal or clearly_above(value, equal)
    stands_out = (
        "stands out most in one half of the sample. In the other half"
        if is_clear
        else "is furthest above equal weights in one half of the sample, yet does not stand out in the other:"
    )
    return (
        f"**Layer {top['layer']}, head {top['head']}** {stands_out} {per_cent(value)} of its attention is on "
        f"{LOOKED_AT[top['score']]}; equal weights would put {per_cent(equal)} there."
    )


def _in_full(table: pd.DataFrame) -> pd.DataFrame:
    columns = {
        "measures": table["score"].map(MEANINGS),
        "best shown by": table["sentence"].map(shown_texts().__getitem__),
    }
    return table.drop(columns=["sentence", "query", "key", *HALVES]).assign(**columns)


def _sortable(scene: Scene, table: pd.DataFrame) -> None:
    """A row for each head; selecting one opens the head on what it does most above chance."""
    wide = by_head(table)

    def open_row() -> None:
        for row in st.session_state["heads_table"].selection.rows:
            layer, head = wide.loc[row, ["layer", "head"]].astype(int)
            shares = above_chance(table).query("layer == @layer and head == @head")
            _open(scene, table, layer, head, shares.loc[shares["above"].idxmax(), "score"])

    st.dataframe(
        wide,
        key="heads_table",
        hide_index=True,
        width="content",
        column_config=_columns(table),
        on_select=partial(change, open_row),
        selection_mode="single-row",
    )


def _columns(table: pd.DataFrame) -> dict[str, Any]:
    """A bar from 0 to 1 for every share; the entropy is a number."""
    columns: dict[str, Any] = {
        name: st.column_config.NumberColumn(width=NARROW, pinned=True) for name in ("layer", "head")
    }
    for row in table.drop_duplicates("score").itertuples():
        measured = f"{MEANINGS[row.score]}. Equal weights: {row.baseline:.2f}, over {row.places} words."
        if row.score == ENTROPY:
            columns[row.score] = st.column_config.NumberColumn("entropy (nats)", help=measured, format="%.2f")
        else:
            columns[row.score] = st.column_config.ProgressColumn(
                width=WIDE,
                help=measured,
                format="%.2f",
                min_value=0,
                max_value=1,
                color=theme().attention,
            )
    return columns


def _open(scene: Scene, table: pd.DataFrame, layer: int, head: int, score: str) -> None:
    """The head (counted from 1) in the matrix view, at the cell of the sentence that shows the score best."""
    chosen = (table["layer"] == layer) & (table["head"] == head) & (table["score"] == score)
    (row,) = table[chosen].itertuples()
    put_in(shown_texts()[row.sentence])
    if "real" in st.session_state:
        _show_words(scene)
    st.session_state["layer"], st.session_state["head"] = layer, head
    st.session_state["view"] = "matrix"
    forget("show")
    if score == SPECIAL:  # its column is hidden or not, by a control that the visitor has
        row = row._replace(query=pd.NA, key=pd.NA)
    asked = row.query if pd.isna(row.query) else _asked(scene, shown_texts()[row.sentence], int(row.query))
    for name, place in (("query", row.query), ("key", row.key), ("place", asked)):
        if pd.isna(place):
            forget(name)
        else:
            put(name, int(place) + 1)


def _asked(scene: Scene, text: str, word: int) -> int:
    """The position asked for a prediction at a word: its last piece, or its first where it is masked."""
    one = scene.switches.weights.one
    if one is None:
        return word
    pieces = one.split(text)
    words = [group for group in pieces.groups if not pieces.special.issuperset(group)]
    return words[word][-1 if one.config.mask == "causal" else 0]


def _show_words(scene: Scene) -> None:
    """Rows and columns that are the words of the sentence, and nothing else: as the scores count them."""
    put("tokens", WORDS)
    if scene.pieces is not None and scene.pieces.special:
        put("special", False)
