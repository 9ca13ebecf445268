"""Rotary positions: a query and a key rotate with their positions, and their score depends on distance."""

import math

import numpy as np
import pandas as pd
import streamlit as st

from core.measures.positions.rotary import Meeting, meeting, radians_per_word
from core.model.positions import SCHEMES
from core.programs.positions import rotary_program
from pages.controls.cited import equation
from pages.controls.link import menu, slide, word_menu
from pages.controls.parameters.mechanism import FURTHEST
from pages.controls.picture import picture, theme
from pages.controls.screen import columns, room
from pages.positions.sinusoidal import distance_signed
from pages.shell import Program, Scene
from pages.shell.scene import reading, subject
from viz.matrices import describe_scores, scores
from viz.rotary_pairs import describe_rotary_pairs, rotary_pairs
from viz.tables import matrix_table
from viz.units import distance

FEW_PAIRS = 8
"""Above so many circles there is no room to say that the degrees are those per word."""

CIRCLES, MATRIX = 470, 470
TITLE = "Scores of this query at i and this key at j"


def rotary(scene: Scene) -> Program:
    """The arrows on the left, the scores at all positions on the right, the chosen positions framed."""
    config, n = scene.switches.config, len(scene.words)
    with scene.row:
        layer = menu("layer", options=range(1, config.n_layers + 1), notes=scene.notes) - 1
        head = menu("head", options=range(1, config.n_heads + 1), notes=scene.notes) - 1
    read = reading(scene.words, scene.switches)
    scene.name_unknown(read.unknown)
    with st.container(horizontal=True, vertical_alignment="center", key="inline_moved"):
        query = word_menu("query", scene.words, notes=scene.notes, unchosen="last")
        key = word_menu("key", scene.words, notes=scene.notes, unchosen="second")
        st.caption("Shift both by", width="content")
        moved = slide("moved", notes=scene.notes)
    query = n - 1 if query is None else query
    key = min(1, n - 1) if key is None else key
    found = meeting(read, layer, head, query, key)
    left, right = columns([1, 1])
    with left:
        _arrows(scene, found, query, key, moved)
    with right:
        _everywhere(found, query, key, moved)
    _told(scene, found, query, key, moved)
    said = SCHEMES["rotary"].about
    equation(said.formula, said.source)
    about = subject(scene.words, scene.switches, layer=layer, head=head)
    return Program(lambda: rotary_program(about, query, key, _n(query, key)))


def _n(query: int, key: int) -> int:
    """So many positions the matrix shows: those that the two words can be shifted to."""
    return max(query, key) + FURTHEST + 1


def _arrows(scene: Scene, found: Meeting, query: int, key: int, moved: int) -> None:
    turns = radians_per_word(len(found.q))
    unit = " per word" if len(turns) <= FEW_PAIRS else ""
    titles = [f"{math.degrees(angle):.2g}°{unit}" for angle in turns]
    q, k = found.pairs(query + moved, key + moved)
    parts = found.parts(query + moved, key + moved)
    picture(
        rotary_pairs(
            q,
            k,
            before=found.pairs(query, key),
            parts=parts,
            titles=titles,
            names=(f"query of {scene.plain[query]}", f"key of {scene.plain[key]}"),
            theme=theme(),
            size=room(CIRCLES),
        ),
        key="pairs",
        alt=describe_rotary_pairs(parts, titles),
        table=lambda: _pairs_table(q, k, parts),
    )


def _everywhere(found: Meeting, query: int, key: int, moved: int) -> None:
    n = _n(query, key)
    matrix, places = found.scores(n), [str(at) for at in range(1, n + 1)]
    picture(
        scores(
            matrix,
            places,
            title=TITLE,
            theme=theme(),
            selected=(query + moved, key + moved),
            size=room(MATRIX),
        ),
        key="everywhere",
        alt=describe_scores(matrix, places, title=TITLE),
        table=lambda: matrix_table(matrix, places),
    )


def _told(scene: Scene, found: Meeting, query: int, key: int, moved: int) -> None:
    matrix = found.scores(_n(query, key))
    here, there = matrix[query, key], matrix[query + moved, key + moved]
    of_query, of_key = scene.words[query], scene.words[key]
    scaled = "q·k/√d_head" if scene.switches.config.scale else "q·k"
    where = f"positions {query + 1} and {key + 1}"
    elsewhere = f"positions {query + moved + 1} and {key + moved + 1}"
    st.markdown(
        f"The query of **{of_query}** and the key of **{of_key}** have the score {scaled} = "
        f"**{distance_signed(there)}** at {elsewhere}, the sum of the numbers under the circles. At {where}, "
        f"the thin arrows, the score is {distance_signed(here)}: the two scores differ by "
        f"{distance(abs(here - there))}. A shift rotates both arrows of a pair by the same angle, so the "
        "angle between them stays, and every diagonal of the matrix has one colour."
    )


def _pairs_table(q: np.ndarray, k: np.ndarray, parts: np.ndarray) -> pd.DataFrame:
    columns = {"q first": q[:, 0], "q second": q[:, 1], "k first": k[:, 0], "k second": k[:, 1]}
    index = pd.RangeIndex(1, len(q) + 1, name="pair")
    return pd.DataFrame({**columns, "part of the score": parts}, index=index)
