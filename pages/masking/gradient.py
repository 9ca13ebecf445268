"""Gradient: which input every output depends on, and where it provably depends on nothing."""

from typing import Any

import numpy as np
import streamlit as st

from core.measures.masking.dependence import Dependence, dependence
from core.measures.masking.painting import MOST_PAINTED, PaintedMask
from core.programs.masking import gradient_program
from core.text.limits import too_long
from pages.controls.cited import equation
from pages.controls.memory import remembered
from pages.controls.picture import picture, theme
from pages.controls.switches import Architecture
from pages.masking.mask import fitting, flip_cell
from pages.masking.painting import Painting, painted_over
from pages.shell import Program, Scene
from viz.masking import describe_reached, reached
from viz.tables import matrix_table
from viz.text import counted

ABOVE = 285
"""Pixels of page above the mask in a low window."""

TITLE = "gradient shares"
NO_WAY = r"\bigl((A + I)^L\bigr)_{ij} = 0 \implies \frac{\partial h_i}{\partial x_j} = 0"
NO_FUTURE = r"j > i \implies \frac{\partial h_i}{\partial x_j} = 0"


def gradient(scene: Scene) -> Program:
    """The mask, and beside it the gradient of every output with respect to every input."""
    under, n = painted_over(scene), len(scene.words)
    program = Program(lambda: gradient_program(scene.subject, under.mask))
    if n > MOST_PAINTED:
        st.info(
            too_long("Gradients, a backward pass for each word, are computed for", MOST_PAINTED, n, "word")
        )
        return program
    found = _dependence(scene.words, scene.switches, under.mask)
    look: dict[str, Any] = {"title": TITLE, "theme": theme(), "flipped": under.flipped}
    picture(
        reached(under.allowed, found.shares, under.labels, **look, **fitting(n, above=ABOVE)),
        key="gradient",
        alt=describe_reached(found.shares, under.labels, title="Gradient"),
        table=lambda: matrix_table(found.norms, scene.plain),
        on_click=lambda point: flip_cell(point["y"], point["x"]),
    )
    st.markdown(_told(found, scene.switches.config.n_layers))
    if _has_no_future(under):
        equation(NO_FUTURE, "CS 224N note, section 2.4: what the mask is there for")
    else:
        equation(NO_WAY, "A is the mask as zeros and ones, L the number of layers: no path leads from j to i")
    return program


@remembered(saying="One backward pass for every word …")
def _dependence(words: tuple[str, ...], switches: Architecture, mask: PaintedMask) -> Dependence:
    return dependence(words, switches.config, mask, source=switches.source, seed=switches.seed)


def _has_no_future(under: Painting) -> bool:
    return not np.triu(under.allowed, 1).any()


def _told(found: Dependence, n_layers: int) -> str:
    """How many gradients are exactly 0, how many of them are of the future, and what goes round the mask."""
    n_zero, n_around = int(found.zero.sum()), int(found.roundabout.sum())
    parts = [
        f"Of {counted(found.norms.size, 'gradient')} through {counted(n_layers, 'layer')} "
        f"**{n_zero}** {'is' if n_zero == 1 else 'are'} exactly 0, not merely small."
    ]
    if found.zero_of_the_future.size:
        parts.append(f"Above the diagonal, where the future is, {_share(found.zero_of_the_future)}.")
    if n_around:
        parts.append(
            f"In {counted(n_around, 'cell')} an output depends on a word that it may not attend to: "
            "the information passes through a third word, in another layer."
        )
    return " ".join(parts)


def _share(zero: np.ndarray) -> str:
    if zero.all():
        return "all of them are" if len(zero) > 1 else "the only one is"
    return f"{int(zero.sum())} of {len(zero)} are" if zero.any() else "none is"
