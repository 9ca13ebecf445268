"""Reshape: one matrix of queries, keys or values whose blocks move apart until every head has its own."""

from dataclasses import replace
from pathlib import Path

import pandas as pd
import streamlit as st

from core.measures.reading import Reading
from core.programs.heads import reshape_program
from pages.controls.cited import footnote
from pages.controls.link import choice
from pages.controls.picture import numbers, theme
from pages.controls.screen import room
from pages.shell import Program, Scene
from viz.reshape import (
    FORMS,
    MOST_WORDS,
    NARROWEST,
    WIDTH,
    Blocks,
    cell_colours,
    cell_digits,
    describe_blocks,
    shown_words,
)
from viz.tables import unique_words
from viz.text import plain, shortened

PARTS = {"q": "queries", "k": "keys", "v": "values"}
MEANINGS = {
    FORMS[0]: "One product of the words with one matrix gives the {part} of all heads at once.",
    FORMS[1]: "Every row is cut into k pieces of d/k dimensions. Nothing is computed, and nothing moves yet.",
    FORMS[2]: (
        "The heads come first now, like k sentences of n words: every head sees **every word**, but only its "
        "own d/k dimensions of it. The softmax of each head is computed on its own, all in one operation."
    ),
}

_HERE = Path(__file__)
_blocks = st.components.v2.component(
    "head_blocks",
    js=_HERE.with_suffix(".js").read_text("utf-8"),
    css=_HERE.with_suffix(".css").read_text("utf-8"),
)


def reshape(scene: Scene) -> Program:
    """The three forms to choose from, the blocks in the chosen one, and what it means."""
    with scene.row:
        form = choice("shape", notes=scene.notes, hide_label=True)
        part = choice("vectors", options=list(PARTS), notes=scene.notes, hide_label=True)
    layer = scene.layer
    _draw(scene.reading, layer, part, form)
    numbers("reshape", lambda: _table(scene.reading, layer, part))
    footnote("E6")
    st.caption("The two steps: CS 224N note, §3.1, sequence-tensor form.")
    return Program(lambda: reshape_program(scene.subject, part))


def _draw(read: Reading, layer: int, part: str, form: str) -> None:
    """The blocks; which of them are where is all that a form changes."""
    words, look = read.words, theme()
    shown = shown_words(words)
    vectors = read.vectors(layer, part)[:, : len(shown)]
    n_heads, _, d_head = vectors.shape
    blocks = Blocks(n_heads=n_heads, n_words=len(shown), d_head=d_head, width=max(room(WIDTH), NARROWEST))
    whole = replace(blocks, n_words=len(words))
    st.markdown(
        f"**{form}** = {' × '.join(map(str, whole.shape(form)))}. {MEANINGS[form].format(part=PARTS[part])}"
    )
    _blocks(
        key="reshape",
        data={
            "words": [plain(word) for word in shown],
            "labels": [shortened(word, longest=5) for word in shown],
            "colours": cell_colours(vectors, look),
            "digits": cell_digits(vectors, look),
            "cell": blocks.cell,
            "row": blocks.row,
            "width": blocks.width,
            "height": blocks.height(form),
            "ink": look.ink,
            "frame": {"q": look.query, "k": look.key, "v": look.value}[part],
            "places": blocks.places(form),
            "apart": form == FORMS[2],
            "alt": describe_blocks(whole, form, name=PARTS[part].capitalize()),
        },
    )
    if len(words) > len(shown):
        st.caption(f"The first {MOST_WORDS} of {len(words)} words are drawn; the numbers are those of all.")


def _table(read: Reading, layer: int, part: str) -> pd.DataFrame:
    """The matrix n × d: a row for each word, the columns of all heads side by side."""
    vectors = read.vectors(layer, part)
    n_heads, _, d_head = vectors.shape
    columns = [f"{head}.{at}" for head in range(1, n_heads + 1) for at in range(1, d_head + 1)]
    flat = [row.ravel() for row in vectors.swapaxes(0, 1)]
    return pd.DataFrame(flat, index=pd.Index(unique_words(read.words), name="word"), columns=columns)
