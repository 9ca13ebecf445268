"""Residual stream: how long the vectors are from block to block, and how much each part adds to them."""

from contextlib import suppress
from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.blocks.stream import Stream, stream
from core.config import NORMS
from core.learning.weights import UnavailableError
from core.programs.stream import stream_program
from pages.blocks_views.depth import norm_colours
from pages.controls.chart import chart
from pages.controls.cited import equation
from pages.controls.memory import remembered
from pages.controls.picture import picture, theme
from pages.controls.sentence import marked
from pages.controls.switches import Architecture
from pages.shell import Program, Scene
from viz.bar_rows import bar_rows, describe_bar_rows
from viz.tables import unique_words
from viz.text import counted
from viz.units import magnitude, magnitude_ticks

Words = tuple[str, ...]

STREAM = (
    "Under pre-norm every part adds to a stream that is not normalised until the end; post-norm brings each "
    "sum back to one norm, up to its gain and bias."
)
NO_STREAM = "Without residual connections there is no stream: each part's output replaces its input."


def residual_stream(scene: Scene) -> Program:
    """The mean length by depth for every placement of the norm, then what each part of one model adds."""
    words, switches = scene.words, scene.switches
    chosen = _stream(words, switches)
    scene.name_unknown(chosen.unknown)
    found: dict[str, Stream] = {}
    for norm in NORMS:
        with suppress(UnavailableError):
            found[norm] = _stream(words, replace(switches, config=replace(switches.config, norm=norm)))
    _by_depth(found)
    lacking = ", ".join(norm for norm in NORMS if norm not in found)
    if lacking:
        st.caption(f"Not trained yet, so not drawn: {lacking}.")
    st.markdown(_told(found, switches))
    _by_word(scene.plain, chosen)
    st.markdown(
        "Norm of what each part adds, in per cent of the norm of the word's vector at that point, in the "
        f"model with layer norm **{switches.config.norm}**."
    )
    if switches.config.residual:
        equation(r"f_\text{residual}(h_{1:n}) = f(h_{1:n}) + h_{1:n}", "CS 224N note, eq 29")
    return Program(lambda: stream_program(scene.subject))


@remembered()
def _stream(words: Words, switches: Architecture) -> Stream:
    return stream(words, switches.config, source=switches.source, seed=switches.seed)


def _by_depth(found: dict[str, Stream]) -> None:
    shown = pd.DataFrame(
        [
            (norm, after, length)
            for norm, one in found.items()
            for after, length in enumerate(one.mean_lengths().tolist())
        ],
        columns=["layer norm", "blocks", "length"],
    )
    chart(
        shown,
        key="stream",
        what="Mean norm of the residual stream",
        x="blocks",
        y="length",
        by="layer norm",
        say=magnitude,
        colours=norm_colours(theme()),
        x_title="after so many blocks",
        y_title="mean norm",
        x_ticks={at: str(at) for at in range(int(shown["blocks"].max()) + 1)},
        y_ticks=magnitude_ticks(shown["length"]),
        log="y",
    )


def _told(found: dict[str, Stream], switches: Architecture) -> str:
    """How long the vectors are before the first block and after the last."""
    ends = {norm: one.mean_lengths() for norm, one in found.items()}
    parts = "; ".join(
        f"**{norm}** from {magnitude(lengths[0])} to {magnitude(lengths[-1])}"
        for norm, lengths in ends.items()
    )
    return (
        f"Norm of a word's vector, mean over the sentence, in {counted(len(found), 'model')} that differ in "
        f"where layer norm stands: {parts}. {STREAM if switches.config.residual else NO_STREAM}"
    )


def _by_word(words: Words, chosen: Stream) -> None:
    look = theme()
    rows = {part: look.attention if part.startswith("attention") else look.value for part in chosen.parts}
    shares = np.ascontiguousarray(chosen.added.T)
    labels = marked(words, chosen.unknown)
    picture(
        bar_rows(shares, rows, labels, top=float(shares.max()) or 1.0, theme=look),
        key="added",
        alt=describe_bar_rows(shares, list(rows), labels, what="What each part adds"),
        table=lambda: pd.DataFrame(
            chosen.added, index=pd.Index(unique_words(words), name="word"), columns=list(chosen.parts)
        ),
    )
