"""Residual stream: how long the vectors are from block to block, and how much each part adds to them."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pandas as pd
import streamlit as st

from core.measures.blocks.stream import Stream, stream
from core.model.config import NORMS
from core.programs.stream import stream_program
from core.sources import UnavailableError
from pages.blocks.depth import norm_colours
from pages.controls.chart import chart
from pages.controls.cited import equation
from pages.controls.memory import remembered
from pages.controls.picture import picture, theme
from pages.controls.sentence import marked
from pages.controls.switches import Architecture
from pages.controls.weights import absent_of, note_absent
from pages.shell import Program, Scene
from viz.bar_rows import bar_rows, describe_bar_rows
from viz.tables import unique_words
from viz.text import counted
from viz.units import magnitude, magnitude_ticks

Words = tuple[str, ...]

ALIKE = 0.01
"""Norms that differ by less than this share of them count as one."""

NO_STREAM = "Without residual connections there is no stream: each part's output replaces its input."


def residual_stream(scene: Scene) -> Program:
    """The mean length by depth for every placement of the norm, then what each part of one model adds."""
    words, switches = scene.words, scene.switches
    chosen = _stream(words, switches)
    scene.name_unknown(chosen.unknown)
    every = [replace(switches.config, norm=norm) for norm in NORMS]
    note_absent(scene.notes, absent_of(switches.source, every))
    found: dict[str, Stream] = {}
    for config in every:
        with suppress(UnavailableError):
            found[config.norm] = _stream(words, replace(switches, config=config))
    _by_depth(found)
    st.markdown(
        told(
            {norm: one.mean_lengths().tolist() for norm, one in found.items()},
            chosen.d_model,
            has_residual=switches.config.residual,
        )
    )
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


def told(lengths: Mapping[str, Sequence[float]], d_model: int, *, has_residual: bool) -> str:
    """How long the vectors are before the first block and after each, and why; `lengths` by norm."""
    parts = "; ".join(
        f"**{norm}** {' → '.join(magnitude(one) for one in of_norm)}" for norm, of_norm in lengths.items()
    )
    why = [NO_STREAM] if not has_residual else []
    if has_residual and "pre" in lengths:
        why.append(_of_pre(lengths["pre"]))
    if "post" in lengths:
        why.append(_of_post(lengths["post"][1:], d_model))
    return (
        "Norm of a word's vector before the first block and after each, mean over the sentence, in "
        f"{_models(len(lengths))}: {parts}. {' '.join(why)}"
    ).rstrip()


def _models(n: int) -> str:
    if n == 1:
        return "the one model that is there"
    return f"{counted(n, 'model')} that differ in where layer norm stands"


def _of_pre(lengths: Sequence[float]) -> str:
    grows = all(after > before for before, after in pairwise(lengths))
    seen = "it grows with every block" if grows else "it does not grow with every block"
    return f"Under pre-norm every part adds to a stream that is not normalised until the end: here {seen}."


def _of_post(after: Sequence[float], d_model: int) -> str:
    """What leaves a block is what its last layer norm makes of it: √d times the gain, plus the bias."""
    root = d_model**0.5
    begins = f"Post-norm normalises every sum, to the norm √{d_model} = {magnitude(root)}"
    if all(abs(one - root) <= ALIKE * root for one in after):
        return f"{begins}: gains of 1 and biases of 0 leave it at that."
    if max(after) - min(after) <= ALIKE * root:
        return f"{begins}; gain and bias change that to {magnitude(after[0])} after every block."
    return (
        f"{begins}; the gain and bias that each layer norm has learned for itself change that to between "
        f"{magnitude(min(after))} and {magnitude(max(after))}."
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
