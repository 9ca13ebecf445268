"""Without parameters: each word is its own query, key and value, and why it then looks at itself."""

import numpy as np
import streamlit as st

from core.analysis.stages import Bare, attend_bare
from core.programs.steps import bare_program
from pages.controls.cited import equation, footnote
from pages.controls.link import switch
from pages.controls.picture import picture, theme
from pages.controls.prose import Typed
from pages.controls.screen import room
from pages.shell import Program, Scene
from pages.step_views.walking import Walked, walked
from viz.stages import Panel, describe_stages, stages
from viz.tables import matrix_table
from viz.text import counted

WHY = (
    "Of vectors of one length none has a larger dot product with a word than the word itself, so the largest "
    "weight of every row is on the diagonal, shared only with repeats of the word."
)
RAW = (
    "With vectors of different lengths nothing guarantees that: a long neighbour can have the larger dot "
    "product. Queries and keys made by matrices of their own free a word from looking at itself first."
)
NAMED = 6

SIZE = 860
"""Pixels of two matrices side by side that leave room for the sentences below."""


def without_parameters(scene: Scene) -> Program:
    """The dot products of the word vectors, the weights, and which words look at themselves first."""
    seen = walked(scene)
    with scene.row:
        normalised = switch("unit", "Every vector of length 1", True, notes=scene.notes)
    bare = attend_bare(seen.walk.vectors, normalised=normalised)
    panels = [Panel("x·x", bare.scores, "scores"), Panel("softmax", bare.pattern, "weights")]
    picture(
        stages(panels, seen.labels, theme=theme(), size=room(SIZE)),
        key="bare",
        alt=describe_stages(panels, seen.labels),
        table=lambda: matrix_table(bare.pattern, seen.labels),
    )
    st.markdown(f"{_found(seen, bare)} {WHY if normalised else RAW}")
    equation(
        r"h = \operatorname{softmax}\!\left(X X^\top\right) X, \qquad "
        r"h_i = \sum_j \frac{\exp(x_i^\top x_j)}{\sum_{j'} \exp(x_i^\top x_{j'})}\, x_j",
        "FNLP slides, after Bloem; textbook, section 24.4. X are the word vectors alone, without a mask",
    )
    footnote("E8")
    return Program(lambda: bare_program(scene.subject, normalised=normalised))


def _found(seen: Walked, bare: Bare) -> str:
    itself, n = bare.looks_at_itself, len(seen.labels)
    if itself.all():
        return f"**{itself.sum()} of {counted(n, 'word')}**: every word gives itself its largest weight."
    others = np.flatnonzero(~itself)
    told = ", ".join(
        f"**{Typed(seen.labels[at])}** looks most at **{Typed(seen.labels[largest])}**"
        for at, largest in zip(others[:NAMED], bare.pattern[others].argmax(axis=1), strict=False)
    )
    more = f" and {len(others) - NAMED} more" if len(others) > NAMED else ""
    shortest, longest = bare.lengths.min(), bare.lengths.max()
    return (
        f"**{itself.sum()} of {n} words** give themselves their largest weight; {told}{more}. The "
        f"vectors are between {shortest:.2f} and {longest:.2f} long."
    )
