"""Compare: a second configuration beside the first, and where the two differ."""

from dataclasses import replace

import streamlit as st

from core.learning.weights import UnavailableError
from pages.controls.picture import picture, theme
from pages.controls.screen import room
from pages.controls.switches import variant
from pages.controls.weights import ablation_label
from pages.explorer_views.calculation import calculation, choose_cell, open_clicked
from pages.explorer_views.program import attention
from pages.shell.program import Program
from pages.shell.scene import Scene, reading
from viz.comparison import comparison, describe_comparison
from viz.tables import largest_changes, matrix_table

CHANGES_LISTED = 6
FORMATS = {"A": "%.3f", "B": "%.3f", "change": "%+.3f"}


def compare(scene: Scene) -> Program:
    """A and B for the same head and B − A, then the largest changes and both calculations of a cell."""
    other = _other(scene)
    try:
        reading(other.words, other.switches)
    except UnavailableError as error:
        scene.notes.warning(f"B: {error}")
        return attention(scene)
    figure, below = st.container(), st.container()
    with below:
        _changes(scene, other)
        cell = choose_cell(scene)
        if cell is not None:
            _calculations(scene, other, cell)
    with figure:
        _draw(scene, other, cell)
    return attention(scene)


def _other(scene: Scene) -> Scene:
    """The same sentence read by B, at the same head or at B's last one if it has fewer."""
    st.caption("**B** is A, except:")
    switches = variant(scene.switches, scene.notes)
    if switches.ablations:
        st.markdown(f"**B** {ablation_label(switches.ablations)}")
    layer = min(scene.layer, switches.config.n_layers - 1)
    head = min(scene.head, switches.config.n_heads - 1)
    other = replace(scene, switches=switches, layer=layer, head=head)
    if other.title != scene.title:
        scene.notes.info(f"B has no {scene.title.lower()}: shown is its {other.title.lower()}.")
    return other


def _draw(scene: Scene, other: Scene, cell: tuple[int, int] | None) -> None:
    picture(
        comparison(
            scene.pattern,
            other.pattern,
            scene.labels,
            titles=(f"A · {scene.title}", f"B · {other.title}"),
            theme=theme(),
            allowed=(scene.reading.allowed(), other.reading.allowed()),
            selected=cell,
            size=room(),
        ),
        key="comparison",
        alt=describe_comparison(scene.pattern, other.pattern, scene.labels),
        table=lambda: matrix_table(other.pattern - scene.pattern, scene.labels),
        on_click=open_clicked,
    )


def _changes(scene: Scene, other: Scene) -> None:
    changes = largest_changes(scene.pattern, other.pattern, scene.labels, n_rows=CHANGES_LISTED)
    st.markdown("**Largest changes**")
    columns = {name: st.column_config.NumberColumn(format=form) for name, form in FORMATS.items()}
    st.dataframe(changes, hide_index=True, width="content", column_config=columns)


def _calculations(scene: Scene, other: Scene, cell: tuple[int, int]) -> None:
    left, right = st.columns(2)
    with left:
        st.markdown("**A**")
        calculation(scene, cell)
    with right:
        st.markdown("**B**")
        calculation(other, cell, name="b_calculation")
