"""The curves of a training, and the attention on one sentence as it comes about."""

from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.learning.tasks import chance
from core.live import Plan, Progress, Snapshot
from pages.controls.link import menu, slide
from pages.controls.picture import picture, theme
from pages.controls.screen import room
from viz.matrices import describe_heatmap, heatmap
from viz.tables import matrix_table
from viz.training import PANELS, describe_training, training_curves

ATTENTION_WIDTH = 380
NEWEST = "newest"
COLUMNS = ("step", *(panel.column for panel in PANELS))


def curves(plan: Plan, progress: Progress | None) -> None:
    """Loss, accuracy, gradient and learning rate, beside chance and the trained model of the collection."""
    table = _table(progress)
    look: dict[str, Any] = {"total": plan.recipe.steps, "references": _references(plan)}
    picture(
        training_curves(table, **look, schedule=_schedule(plan), theme=theme()),
        key="curves",
        alt=describe_training(table, **look),
        table=lambda: table,
    )


def _table(progress: Progress | None) -> pd.DataFrame:
    if progress is None:
        return pd.DataFrame(columns=list(COLUMNS), dtype=float)
    return pd.DataFrame({name: getattr(progress.curves, name) for name in COLUMNS})


@st.cache_data(max_entries=64, show_spinner=False)
def _references(plan: Plan) -> dict[str, dict[str, float]]:
    """Loss and accuracy to compare with, by the names they have in the picture."""
    guessing, shipped = chance(plan.task), plan.shipped()
    lines = {"chance": guessing} | ({} if shipped is None else {"trained model": shipped})
    return {
        column: {name: getattr(line, column) for name, line in lines.items()}
        for column in ("loss", "accuracy")
    }


@st.cache_data(max_entries=64, show_spinner=False)
def _schedule(plan: Plan) -> list[float]:
    """The learning rate of every step that is planned."""
    return [plan.recipe.learning_rate_at(step) for step in range(plan.recipe.steps)]


def attention(plan: Plan, progress: Progress | None, notes: DeltaGenerator) -> dict[str, int]:
    """One head on the watched sentence, at the step chosen on the slider or the newest before it.

    Returns its `layer` and its number, `head`, counted from 0, and the `last` step before it.
    """
    config = plan.architecture
    with st.container(horizontal=True, vertical_alignment="center", key="inline_head"):
        layer = menu("layer", options=range(1, config.n_layers + 1), notes=notes, width=130)
        head = menu("head", options=range(1, config.n_heads + 1), notes=notes, width=130)
    stops: list[Any] = [*plan.recorded[:-1], NEWEST]
    at = slide("at", options=stops, default=NEWEST, notes=notes)
    snapshots = _untrained(plan) if progress is None or not progress.snapshots else progress.snapshots
    snapshot = [one for one in snapshots if at == NEWEST or one.step <= at][-1]
    _draw(plan, snapshot, layer - 1, head - 1)
    return {"layer": layer - 1, "head": head - 1, "last": snapshot.step}


def _draw(plan: Plan, snapshot: Snapshot, layer: int, head: int) -> None:
    pattern, allowed = snapshot.patterns[layer, head], plan.allowed()
    title = f"Layer {layer + 1} · head {head + 1} · after step {snapshot.step:,}"
    picture(
        heatmap(pattern, plan.words, title=title, theme=theme(), allowed=allowed, size=room(ATTENTION_WIDTH)),
        key="trained_attention",
        alt=describe_heatmap(pattern, plan.words, title=title, allowed=allowed),
        table=lambda: matrix_table(pattern, plan.words, allowed=allowed),
    )


@st.cache_resource(max_entries=16, show_spinner=False)
def _untrained(plan: Plan) -> tuple[Snapshot]:
    return (plan.snapshot(plan.begin()),)
