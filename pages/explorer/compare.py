"""Compare: a second configuration beside the first, and where the two differ."""

from dataclasses import replace

import numpy as np
import streamlit as st
from jaxtyping import Float

from core.sources import UnavailableError
from pages.contract.form import Form
from pages.controls.page_answers import PageAnswers
from pages.controls.picture import numbers, picture, theme
from pages.controls.screen import columns, room
from pages.controls.switches import AS_IN_A, DIFFERS, variant
from pages.controls.weights import why_unavailable
from pages.explorer.calculation import calculation, choose_cell, open_clicked
from pages.explorer.expected import Runs, answer, choose_place, draw_bars, losses, nats, predicted
from pages.explorer.prediction import why_not_predicted
from pages.explorer.program import attention
from pages.shell.program import Program
from pages.shell.render import Desk
from pages.shell.scene import Scene, reading
from viz.comparison import comparison, describe_comparison
from viz.predictions import SIZE
from viz.tables import cells_table, largest_changes

CHANGES_LISTED = 6
OTHER_QUESTION = (
    "One of them predicts the next word and the other a masked one, so the two losses cannot be compared."
)
Pattern = Float[np.ndarray, "query key"]

FORMATS = {"A": "%.3f", "B": "%.3f", "change": "%+.3f"}


def compare(scene: Scene) -> Program:
    """A, B and B − A for the same head, then predictions, the largest changes and a cell's calculations."""
    other = _other(scene)
    try:
        reading(other.words, other.switches)
    except UnavailableError as error:
        scene.notes.warning(f"B: {why_unavailable(error)}")
        return attention(scene)
    figure, below = st.container(), st.container()
    with below:
        _predictions(scene, other)
        _changes(scene, other)
        cell = choose_cell(scene)
        if cell is not None:
            _calculations(scene, other, cell)
    with figure:
        _draw(scene, other, cell)
    return attention(scene)


def _other(scene: Scene) -> Scene:
    """The same sentence read by B, at the same head or at B's last one if it has fewer."""
    form = Form(PageAnswers(scene.notes))
    switches = variant(form, scene.switches)
    desk, is_a = Desk(scene.notes, scene.unknown), not form.items[DIFFERS]
    desk.say(form.notes)
    st.caption("**B** is A. Choose in which switch it differs:" if is_a else "**B** is A, except:")
    with st.container(horizontal=True, gap="xsmall", key="variant"):
        desk.draw(form, DIFFERS)
    with st.expander("More switches of B", type="compact", expanded=is_a).container(
        horizontal=True, gap="xsmall"
    ):
        desk.draw(form, AS_IN_A)
    if switches.ablations:
        st.markdown(f"**B** {switches.ablation}")
    layer = min(scene.layer, switches.config.n_layers - 1)
    head = min(scene.head, switches.config.n_heads - 1)
    other = replace(scene, switches=switches, layer=layer, head=head)
    if other.title != scene.title:
        scene.notes.info(f"B has no {scene.title.lower()}: shown is its {other.title.lower()}.")
    return other


def _patterns(scene: Scene, other: Scene) -> tuple[Pattern, Pattern]:
    """The weights of the head of A and of that of B, as they are shown."""
    of_a, of_b = (one.attention.pattern(one.layer, one.head) for one in (scene, other))
    return of_a, of_b


def _draw(scene: Scene, other: Scene, cell: tuple[int, int] | None) -> None:
    patterns = _patterns(scene, other)
    picture(
        comparison(
            *patterns,
            scene.attention.labels,
            titles=(f"A · {scene.title}", f"B · {other.title}"),
            theme=theme(),
            allowed=(scene.attention.allowed, other.attention.allowed),
            selected=cell,
            size=room(),
        ),
        key="comparison",
        alt=describe_comparison(*patterns, scene.attention.labels, unit=scene.attention.unit),
        table=lambda: cells_table(patterns[1] - patterns[0], scene.attention.labels),
        on_click=open_clicked,
    )


def _predictions(scene: Scene, other: Scene) -> None:
    """What A and B predict at one place, and their losses on the sentence; nothing of random weights."""
    trained = scene.switches.weights.trained and other.switches.weights.trained
    if not trained or any(why_not_predicted(one) for one in (scene, other)):
        return
    of_a, of_b = (predicted(one.words, one.switches) for one in (scene, other))
    runs = Runs(of_a, of_b, second="B", first="A")
    loss = f"Loss on this sentence: **A {nats(of_a.loss, scene.unit)}**, **B {nats(of_b.loss, other.unit)}**."
    if (of_a.vocabulary, of_a.ahead) != (of_b.vocabulary, of_b.ahead):
        st.markdown(f"{loss} {OTHER_QUESTION}")
        return
    with st.container(horizontal=True, key="prediction"):
        with st.container(width=SIZE):
            at = choose_place(scene)
            draw_bars(scene, runs, at)
        with st.container(width=SIZE):
            st.markdown(f"{answer(scene, runs, at)} {loss}")
            numbers("losses", lambda: losses(scene, runs), title=f"Loss of each {scene.unit}")


def _changes(scene: Scene, other: Scene) -> None:
    patterns, labels = _patterns(scene, other), scene.attention.labels
    changes = largest_changes(*patterns, labels, n_rows=CHANGES_LISTED)
    st.markdown("## Largest changes from A to B")
    columns = {name: st.column_config.NumberColumn(format=form) for name, form in FORMATS.items()}
    st.dataframe(changes, hide_index=True, width="content", column_config=columns)


def _calculations(scene: Scene, other: Scene, cell: tuple[int, int]) -> None:
    left, right = columns(2)
    with left:
        st.markdown("**A**")
        calculation(scene, cell)
    with right:
        st.markdown("**B**")
        calculation(other, cell, name="b_calculation")
