"""Linear bias: both forms side by side, and what each slope alone makes of the distance."""

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.positions import alibi as slopes
from core.programs.positions import bias_program
from pages.controls.chart import chart
from pages.controls.cited import equation, footnote
from pages.controls.link import menu
from pages.controls.picture import picture, theme
from pages.controls.screen import room
from pages.shell import Program, Scene
from viz.schemes import Panel, describe_side_by_side, side_by_side
from viz.tables import matrix_table
from viz.text import counted
from viz.theme import Theme
from viz.units import fraction, per_cent

WIDTH = 600
FEWEST_DISTANCES = 32
NOTE = "note: slope 1"
FORMULA = (
    r"\alpha_i = \operatorname{softmax}\bigl(k_{0:n-1}\, q_i + m_h\,[-i, \ldots, -1, 0, -1, \ldots, "
    r"-(n-1-i)]\bigr), \qquad m_h = 2^{-8h/H} \ \text{or}\ 1"
)
X = "words back"


def alibi(scene: Scene) -> Program:
    """The two bias matrices, then the weights that a bias gives where nothing else decides."""
    config = scene.switches.config
    with scene.row:
        head = menu("head", "Head", range(1, config.n_heads + 1), 1, notes=scene.notes)
    slope = slopes.slopes(config.n_heads)[head - 1]
    left, right = st.columns([13, 8], gap="medium")
    with left:
        _matrices(scene, head, slope)
    with right:
        _alone(len(scene.words), config.n_heads, head)
    _told(len(scene.words), config.n_heads, head, slope)
    equation(FORMULA, "CS 224N note, eq 13, with m = 1; Press et al. 2022 with a slope per head")
    footnote("E2")
    return Program(lambda: bias_program(scene.plain, config, head - 1))


def _matrices(scene: Scene, head: int, slope: float) -> None:
    n = len(scene.words)
    allowed = slopes.allowed(scene.switches.config.mask, n)
    note, own = slopes.bias(n, slopes.NOTE_SLOPE), slopes.bias(n, slope)
    panels = [
        Panel(title=NOTE, matrix=note),
        Panel(title=f"head {head}: slope {fraction(slope)}", matrix=own),
    ]
    look: dict[str, Any] = {"allowed": allowed, "signed": True}
    picture(
        side_by_side(panels, scene.plain, theme=theme(), size=room(WIDTH), **look),
        key="bias",
        alt=describe_side_by_side(panels, scene.plain, what="Linear bias in both forms", **look),
        table=lambda: matrix_table(own, scene.plain, allowed=allowed),
    )


def _alone(n_words: int, n_heads: int, head: int) -> None:
    n = max(FEWEST_DISTANCES, n_words)
    st.markdown("What a bias alone makes of the distance")
    table = _weights(n, n_heads)
    chart(
        table,
        key="alone",
        what=f"Weights of a bias alone over {n} words",
        x=X,
        y="weight",
        by="form",
        say=per_cent,
        colours=_colours(n_heads, head, theme()),
        x_title="words back from the last word",
        y_title="weight",
        x_ticks={float(at): str(at) for at in range(0, n + 1, 8 * -(-n // 64))},
        y_ticks={0.0: "0 %", 0.25: "25 %", 0.5: "50 %"},
        height=330,
    )


def _weights(n: int, n_heads: int) -> pd.DataFrame:
    forms = {NOTE: slopes.NOTE_SLOPE} | {
        f"head {at}": slope for at, slope in enumerate(slopes.slopes(n_heads), start=1)
    }
    columns = [
        pd.DataFrame({"form": name, X: np.arange(n), "weight": slopes.alone(n, slope)})
        for name, slope in forms.items()
    ]
    return pd.concat(columns, ignore_index=True)


def _colours(n_heads: int, head: int, look: Theme) -> dict[str, str]:
    """The note's form in the colour of the key, the chosen head in that of a choice, the others muted."""
    heads = {f"head {at}": look.selection if at == head else look.muted for at in range(1, n_heads + 1)}
    return {NOTE: look.key, **heads}


def _told(n_words: int, n_heads: int, head: int, slope: float) -> None:
    n = max(FEWEST_DISTANCES, n_words)
    note, own = slopes.alone(n, slopes.NOTE_SLOPE), slopes.alone(n, slope)
    listed = ", ".join(fraction(each) for each in slopes.slopes(n_heads))
    st.markdown(
        f"In head {head} a distance of {1 / slope:.3g} words costs as much as one word in the note's form. "
        f"If all {n} words matched equally well, the last would keep {per_cent(note[0])} for itself under "
        f"slope 1 and {per_cent(own[0])} in head {head}. With {counted(n_heads, 'head')} the slopes are "
        f"{listed}, and none of them is learned."
    )
