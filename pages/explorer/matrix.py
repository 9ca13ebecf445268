"""Matrix: one head, a mean or a rollout, large, and where the chosen cell comes from beside it."""

from collections.abc import Callable

import streamlit as st

from pages.controls.picture import Point, picture, theme
from pages.controls.screen import columns, room, tallest
from pages.explorer.again import again_note
from pages.explorer.calculation import calculation, choose_cell, open_clicked
from pages.explorer.origin import origin
from pages.explorer.prediction import prediction
from pages.explorer.program import attention
from pages.explorer.shown import HEAD, Shown, choose_shown, one_head
from pages.explorer.sink import sink_note
from pages.shell.program import Program
from pages.shell.scene import Scene
from viz.matrices import close_up, describe_heatmap, heatmap, shows_blocks
from viz.tables import cells_table

WIDTH = 530
"""Pixels that the wider of two columns has in a window 1400 wide."""

ABOVE = 285
"""Pixels of page above the matrix in a low window."""


def matrix(scene: Scene) -> Program:
    """The weights on the left, one weight's calculation on the right."""
    left, right = columns([5, 4])
    with left:
        shown = choose_shown(scene)
        figure = st.container()
    with right:
        cell = choose_cell(scene)
        if shown.kind == HEAD:
            calculation(scene, cell)
        else:
            origin(scene, shown, cell)
        program = prediction(scene)
    with figure:
        _weights(scene, shown, selected=cell, on_click=open_clicked)
    return program or attention(scene)


def head_matrix(scene: Scene, *, on_click: Callable[[Point], None]) -> None:
    """The weights of the chosen head; `on_click` gets a cell that is clicked."""
    _weights(scene, one_head(scene), selected=None, on_click=on_click)


def _weights(
    scene: Scene,
    shown: Shown,
    *,
    selected: tuple[int, int] | None,
    on_click: Callable[[Point], None],
) -> None:
    pattern, labels = shown.pattern, scene.attention.labels
    allowed, size = scene.attention.allowed, room(WIDTH)
    picture(
        heatmap(
            pattern,
            labels,
            title=shown.title,
            theme=theme(),
            selected=selected,
            allowed=allowed,
            size=size,
            tallest=tallest(ABOVE),
        ),
        key="matrix",
        alt=describe_heatmap(pattern, labels, title=shown.title, allowed=allowed, unit=scene.attention.unit),
        table=lambda: cells_table(pattern, labels),
        on_click=on_click,
    )
    if selected is not None and shows_blocks(labels, size=size):
        _close_up(scene, shown, selected, on_click)
    if shown.kind == HEAD:
        again_note(scene)
        sink_note(scene)


def _close_up(scene: Scene, shown: Shown, cell: tuple[int, int], on_click: Callable[[Point], None]) -> None:
    """What is around a cell of a matrix that is drawn from afar."""
    labels = scene.attention.labels
    query, key = (labels[at] for at in cell)
    picture(
        close_up(
            shown.pattern,
            labels,
            around=cell,
            title="Around the chosen cell",
            theme=theme(),
            allowed=scene.attention.allowed,
            size=room(WIDTH),
        ),
        key="close_up",
        alt=f"The weights around the chosen cell: {query} → {key}",
        on_click=on_click,
    )
