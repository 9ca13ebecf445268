"""One position: the feed-forward layer acts on each word alone, attention on all that attend to it."""

import numpy as np
import pandas as pd
import streamlit as st

from core.measures.blocks.one_position import OutputChanges, elsewhere, output_changes
from core.programs.one_position import one_position_program
from pages.controls.cited import equation
from pages.controls.link import word_menu
from pages.controls.memory import remembered
from pages.controls.picture import Point, picture, theme
from pages.controls.sentence import Words, marked
from pages.controls.switches import Architecture
from pages.shell import Program, Scene
from viz.bar_rows import bar_rows, describe_bar_rows
from viz.tables import unique_words
from viz.text import counted
from viz.units import per_cent


def one_position(scene: Scene) -> Program:
    """A bar for every word and part: how much its output changes without the vector of the chosen word."""
    words, switches = scene.words, scene.switches
    with scene.row:
        word = word_menu("word", words, notes=scene.notes, unchosen="first") or 0
    found = _changes(words, switches, scene.layer, word)
    scene.name_unknown(found.unknown)
    _draw(scene.plain, found, word)
    st.markdown(_told(words, found, word))
    equation(r"\text{FF}(h_i) = W_2\,\text{ReLU}(W_1 h_i + b_1) + b_2", "CS 224N note, eq 17")
    return Program(lambda: one_position_program(scene.subject, word))


@remembered()
def _changes(words: tuple[str, ...], switches: Architecture, layer: int, place: int) -> OutputChanges:
    return output_changes(
        words, switches.config, source=switches.source, seed=switches.seed, layer=layer, place=place
    )


def _draw(words: tuple[str, ...], found: OutputChanges, word: int) -> None:
    look = theme()
    rows = {"feed-forward": look.value, "attention": look.attention}
    shares = np.stack([found.feed_forward, found.attention])
    labels = marked(words, found.unknown)
    picture(
        bar_rows(shares, rows, labels, top=float(shares.max()) or 1.0, theme=look, chosen=word),
        key="changes",
        alt=describe_bar_rows(shares, list(rows), labels, what="Change of the output at every word"),
        table=lambda: pd.DataFrame(
            dict(zip(rows, shares, strict=True)), index=pd.Index(unique_words(words), name="word")
        ),
        on_click=_choose,
    )


def _told(words: Words, found: OutputChanges, word: int) -> str:
    """At how many words each part's output has changed, and by how much at most."""
    name = words[word]
    feed_forward, attention = (
        _reached(*elsewhere(changes, word)) for changes in (found.feed_forward, found.attention)
    )
    return (
        f"The vector of **{name}** is set to zero where it enters each part; a bar is the change of an "
        "output, in per cent of its norm. After the feed-forward layer the output changes at "
        f"{feed_forward}; after attention at {attention}. Only attention carries information between words."
    )


def _reached(n: int, largest: float) -> str:
    """How many of these words were reached."""
    return f"**{counted(n, 'other word')}**, by up to {per_cent(largest)}" if n else "**no other word**"


def _choose(point: Point) -> None:
    st.session_state["word"] = point["data"][1] + 1
