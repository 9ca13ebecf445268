"""Without parameters: each word is its own query, key and value, and why it then attends to itself."""

import numpy as np
import streamlit as st

from core.measures.stages import Bare, attend_bare
from core.programs.steps import bare_program
from pages.controls.cited import equation, footnote
from pages.controls.link import switch
from pages.controls.picture import picture, theme
from pages.controls.prose import Typed, in_units
from pages.controls.screen import room
from pages.shell import Program, Scene
from pages.step_by_step.walking import Walked, walked
from viz.stages import Panel, describe_stages, stages
from viz.tables import matrix_table
from viz.text import counted

WHY = (
    "Among vectors of the same length, none has a larger dot product with a word than the word's own vector. "
    "So the largest weight of each row is on the diagonal; only a word with the same vector shares it"
)
RAW = (
    "With vectors of different lengths nothing guarantees that: a longer vector can have the larger dot "
    "product. Matrices for queries and keys free a word from attending mostly to itself."
)
NAMED = 6

SIZE = 860
"""Pixels of two matrices side by side that leave room for the sentences below."""


def without_parameters(scene: Scene) -> Program:
    """The dot products of the word vectors, the weights, and which words attend most to themselves."""
    seen = walked(scene)
    with scene.row:
        normalised = switch("unit", notes=scene.notes)
    bare = attend_bare(seen.walk.vectors, normalised=normalised)
    panels = [Panel("x·x", bare.scores, "scores"), Panel("softmax", bare.pattern, "weights")]
    picture(
        stages(panels, seen.labels, theme=theme(), size=room(SIZE)),
        key="bare",
        alt=describe_stages(panels, seen.labels, unit=scene.unit),
        table=lambda: matrix_table(bare.pattern, seen.labels),
    )
    st.markdown(f"{_found(seen, bare)} {_why(seen) if normalised else in_units(RAW, scene.unit)}")
    equation(
        r"z = \operatorname{softmax}\!\left(X X^\top\right) X, \qquad "
        r"z_i = \sum_j \frac{\exp(x_i^\top x_j)}{\sum_{j'} \exp(x_i^\top x_{j'})}\, x_j",
        "FNLP slides, after Bloem; textbook, section 24.4. X are the "
        f"{scene.unit} vectors alone, without a mask",
    )
    footnote("E8")
    return Program(lambda: bare_program(scene.subject, normalised=normalised))


def _why(seen: Walked) -> str:
    """Why the diagonal is largest, and which words have the same vector."""
    unknown = ", and unknown words all share one vector" * (len(seen.walk.unknown) > 1)
    return in_units(f"{WHY}, as a repeated word does{unknown}.", seen.scene.unit)


def _found(seen: Walked, bare: Bare) -> str:
    itself, n, unit = bare.looks_at_itself, len(seen.labels), seen.scene.unit
    if itself.all():
        return f"**{itself.sum()} of {counted(n, unit)}**: every {unit} attends most to itself."
    others = np.flatnonzero(~itself)
    told = ", ".join(
        f"**{Typed(seen.labels[at])}** attends most to **{Typed(seen.labels[largest])}**"
        for at, largest in zip(others[:NAMED], bare.pattern[others].argmax(axis=1), strict=False)
    )
    more = f" and {len(others) - NAMED} more" if len(others) > NAMED else ""
    shortest, longest = bare.lengths.min(), bare.lengths.max()
    return (
        f"**{itself.sum()} of {counted(n, unit)}** attend most to themselves; {told}{more}. The lengths of "
        f"the vectors run from {shortest:.2f} to {longest:.2f}."
    )
