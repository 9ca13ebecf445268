"""All heads: every layer and head in one figure, and the chosen one opened beside it."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from core.measures.heads.standing_out import largest, standing_out
from pages.controls.arrival import forget
from pages.controls.picture import Point, picture, theme
from pages.controls.screen import columns, room
from pages.explorer.calculation import open_clicked
from pages.explorer.matrix import head_matrix
from pages.explorer.prediction import prediction
from pages.explorer.program import attention
from pages.shell.program import Program
from pages.shell.scene import Scene
from viz.head_grid import describe_head_grid, describe_heads, head_grid
from viz.tables import heads_table, table_of_heads
from viz.text import counted
from viz.tiles import tile_at

WIDTH = 420
"""Pixels that the narrower of two columns has in a window 1400 wide."""

MANY_HEADS, WIDE = 8, 560
"""More heads than this get a column as wide as that of the chosen head, and at most so many pixels."""

HOW_TO_READ = (
    "Each small square is one attention head: its rows are queries, its columns are keys, and more "
    "colour is a larger attention weight. Click a square to open its head, or a cell of the large matrix to "
    "see its calculation."
)
LEFT_ASIDE = ", special tokens left aside as queries and as keys"
UNTRAINED = "These weights are random: the picture shows how attention works, not what a model learns."


def all_heads(scene: Scene) -> Program:
    """The overview on the left; a click on a tile opens that head on the right."""
    n_layers, n_heads = scene.switches.config.n_layers, scene.switches.config.n_heads
    many = n_heads > MANY_HEADS
    left, right = columns([1, 1] if many else [4, 5])

    def open_head(point: Point) -> None:
        tile = tile_at(point["x"], point["y"], n_layers=n_layers, n_heads=n_heads)
        if tile is not None:
            _open_head(*tile)

    with left:
        _draw(scene, open_head, size=room(WIDE if many else WIDTH))
        below = st.container()
    with right:
        head_matrix(scene, on_click=_open_cell)
        beside = st.container()
    with below:
        if scene.pieces is not None:
            _point_to_the_head_that_stands_out(scene)
        program = prediction(scene, beside=beside)
        st.markdown(HOW_TO_READ)
        if scene.switches.source == "random":
            st.markdown(UNTRAINED)
    return program or attention(scene)


def _draw(scene: Scene, open_head: Callable[[Point], None], *, size: int) -> None:
    """The tiles; of a long text those of its blocks, for its weights are too many to keep."""
    grid = partial(head_grid, theme=theme(), selected=(scene.layer, scene.head), size=size)
    seen, unit = scene.overview, scene.attention.unit
    if seen is None:
        patterns = scene.attention.patterns
        figure = grid(patterns, allowed=scene.attention.allowed)
        alt, table = describe_head_grid(patterns, unit=unit), partial(heads_table, patterns)
    else:
        figure = grid(seen.blocks, allowed=seen.allowed, side=seen.side)
        alt = describe_heads(seen.bits, f"{counted(len(scene.attention.labels), unit)} each way")
        table = partial(table_of_heads, seen.bits, seen.largest, seen.distance)
    picture(figure, key="heads_grid", alt=alt, table=table, on_click=open_head)


def _point_to_the_head_that_stands_out(scene: Scene) -> None:
    """A button that opens it: of the many heads of a real model the first is seldom worth a look."""
    assert scene.pieces is not None, "what a real model reads has pieces"
    shares, equal = scene.largest_shares, scene.equal_share
    found, most = standing_out(shares, equal), largest(shares)
    if most is None:
        return
    by_equal = f"equal weights would give {equal:.2f}{LEFT_ASIDE * bool(scene.pieces.special)}"
    if found is None:
        st.caption(
            "No head stands out: the largest weights of a head, one for each row, have a mean of at most "
            f"{most.share:.2f}, and {by_equal}."
        )
        return
    said = (
        f"Layer {found.layer + 1} · head {found.head + 1} stands out: its largest weights, one for each row, "
        f"have a mean of {found.share:.2f}, and {by_equal}"
    )
    if (found.layer, found.head) == (scene.layer, scene.head):
        st.caption(f"{said}.")
        return
    st.button(said, key="stands_out", type="tertiary", on_click=_open_head, args=(found.layer, found.head))


def _open_head(layer: int, head: int) -> None:
    st.session_state["layer"], st.session_state["head"] = layer + 1, head + 1


def _open_cell(point: Point) -> None:
    """Open the calculation of a cell in the view that has room for it."""
    open_clicked(point)
    st.session_state["view"] = "matrix"
    forget("show")
