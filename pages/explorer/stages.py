"""Stages: one head from scores over bias and mask to the weights, side by side."""

import streamlit as st

from pages.controls.picture import picture, theme
from pages.controls.screen import room
from pages.explorer.calculation import calculation, choose_cell, open_clicked
from pages.explorer.prediction import prediction
from pages.explorer.program import attention
from pages.shell.program import Program
from pages.shell.scene import Scene
from viz.stages import Panel, describe_stages
from viz.stages import stages as stages_figure
from viz.tables import cells_table


def stages(scene: Scene) -> Program:
    """Every matrix between q·k and the weights, then the calculation of the chosen cell."""
    panels = _panels(scene)
    figure, below = st.container(), st.container()
    with below:
        cell = choose_cell(scene)
        calculation(scene, cell)
        program = prediction(scene)
    with figure:
        _draw(scene, panels, cell)
    return program or attention(scene)


def _draw(scene: Scene, panels: list[Panel], cell: tuple[int, int] | None) -> None:
    picture(
        stages_figure(panels, scene.labels, theme=theme(), selected=cell, size=room()),
        key="stages",
        alt=describe_stages(panels, scene.labels, unit=scene.unit),
        table=lambda: cells_table(scene.reading.head(scene.layer, scene.head).scores, scene.labels),
        on_click=open_clicked,
    )


def _panels(scene: Scene) -> list[Panel]:
    """The stages that this configuration has: a bias only where the positions add one."""
    stages = scene.reading.head(scene.layer, scene.head)
    scaled = "q·k / √d_head" if scene.switches.config.scale else "q·k"
    panels = [Panel(scaled, stages.dots * stages.scale, "scores")]
    if stages.bias.any():
        panels.append(Panel("bias", stages.bias, "scores", sign="+"))
    return [
        *panels,
        Panel("mask", stages.allowed, "mask", sign="+"),
        Panel("softmax", stages.pattern, "weights"),
    ]
