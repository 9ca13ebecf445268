"""The one view of the page Training: the plan, what can be done about it, and what has come of it so far."""

import streamlit as st

from core.live import Plan
from core.programs import training_program
from core.sources.absent import absent
from pages.controls.devices import on_a_device_that_works
from pages.controls.own import is_training_lost, keep_owner, keep_training, owner, slot
from pages.controls.screen import columns
from pages.controls.weights import dropped_words, note_absent
from pages.shell import Program, Scene
from pages.shell.program import offer
from pages.training.buttons import buttons
from pages.training.pictures import attention, curves
from pages.training.planning import planned, tasks_elsewhere, warn
from pages.training.result import result
from pages.training.status import status

PERIOD = 0.7
"""Seconds between two looks at a run that goes on."""

LOST = (
    "The training that this browser had here is gone: the server has started again since, or needed the room "
    "for others. *Start* trains anew what the controls say."
)


def training(scene: Scene) -> None:
    """The controls of the plan, and below them the run, drawn again by itself while it goes on."""
    keep_owner()
    plan = planned(scene.switches.config, scene.notes)
    note_absent(scene.notes, absent(plan.alike))
    progress = slot().look(owner())
    is_active = progress is not None and progress.is_active
    if is_training_lost():
        scene.notes.info(LOST)
    st.fragment(_watch, run_every=PERIOD if is_active else None)(plan, is_active)
    st.markdown(
        "Attention has no target of its own: the loss rewards right answers only, and its gradient passes "
        "through the attention weights. *Chance* knows how often each answer occurs and reads nothing. "
        f"{dropped_words(plan.task_name)} {tasks_elsewhere(plan.architecture.mask)}"
    )


@on_a_device_that_works
def _watch(plan: Plan, was_active: bool) -> None:
    """The run as it is now; when it sets off or comes to rest, the page is drawn with another clock."""
    progress = slot().look(owner())
    if (progress is not None and progress.is_active) != was_active:
        st.rerun()
    keep_training(is_there=progress is not None)
    notes = st.container()
    with st.container(horizontal=True, vertical_alignment="center", key="training_buttons"):
        buttons(plan, progress)
        st.markdown(status(progress))
    warn(plan, progress, notes)
    seen = plan if progress is None else progress.plan
    with st.container(key="steady"):
        left, right = columns([3, 2])
    with left:
        curves(seen, progress)
        result(plan, progress)
    with right:
        looked_at = attention(seen, progress, notes)
    offer(
        Program(
            lambda: training_program(seen, **looked_at),
            prints=f"the loss of every step, and the attention after step {looked_at['last']:,}",
        )
    )
