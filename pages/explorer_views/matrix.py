"""Matrix: one head, large, and the calculation of the cell chosen beside it."""

from collections.abc import Callable

import streamlit as st

from pages.controls.picture import Point, picture, theme
from pages.explorer_views.calculation import calculation, choose_cell, open_clicked
from pages.explorer_views.scene import Scene
from viz.matrices import describe_heatmap, heatmap
from viz.tables import matrix_table

WIDTH = 530
"""Pixels that the wider of two columns has in a window 1400 wide."""


def matrix(scene: Scene) -> None:
    """The weights of the chosen head on the left, one weight's calculation on the right."""
    left, right = st.columns([5, 4], gap="medium")
    with right:
        cell = choose_cell(scene)
        calculation(scene, cell)
    with left:
        head_matrix(scene, selected=cell)


def head_matrix(
    scene: Scene,
    *,
    selected: tuple[int, int] | None = None,
    on_click: Callable[[Point], None] = open_clicked,
) -> None:
    """The weights of the chosen head; clicking a cell chooses it."""
    pattern, allowed = scene.pattern, scene.reading.allowed()
    picture(
        heatmap(
            pattern,
            scene.words,
            title=scene.title,
            theme=theme(),
            selected=selected,
            allowed=allowed,
            size=WIDTH,
        ),
        key="matrix",
        alt=describe_heatmap(pattern, scene.words, title=scene.title, allowed=allowed),
        table=lambda: matrix_table(pattern, scene.words),
        on_click=on_click,
    )
