"""Two layers in one: attention after attention, with nothing between, is attention once."""

from dataclasses import replace

import streamlit as st

from core.measures.blocks.collapse import SAME, TwoLayers, largest_difference, two_layers
from core.programs.collapse import collapse_program
from pages.controls.cited import equation, footnote
from pages.controls.link import menu
from pages.controls.memory import remembered
from pages.controls.picture import picture, theme
from pages.controls.screen import room
from pages.controls.switches import Architecture
from pages.shell import Program, Scene
from viz.stages import Panel, describe_stages, stages
from viz.tables import matrix_table
from viz.units import distance


def two_in_one(scene: Scene) -> Program | None:
    """The weights of both layers and their product, then the two computations compared."""
    switches = scene.switches
    with scene.row:
        head = menu("head", options=range(1, switches.config.n_heads + 1), notes=scene.notes) - 1
    if switches.config.n_layers < 2:
        scene.notes.info("It takes two layers to make one of them: choose two or more.")
        return None
    both = _both(scene.words, switches, head)
    _draw(scene.plain, both)
    st.markdown(_told(both))
    equation(r"o = A_2\,(A_1 X V_1)\,V_2 = (A_2 A_1)\,X\,(V_1 V_2)", "CS 224N note, eq 14–16, as matrices")
    footnote("E3")
    return Program(lambda: collapse_program(replace(scene, head=head).subject))


@remembered(32)
def _both(words: tuple[str, ...], switches: Architecture, head: int) -> TwoLayers:
    return two_layers(words, switches.config, source=switches.source, seed=switches.seed, head=head)


def _draw(words: tuple[str, ...], both: TwoLayers) -> None:
    panels = [
        Panel("A₂: layer 2", both.a2, "weights"),
        Panel("A₁: layer 1", both.a1, "weights", sign="·"),
        Panel("A₂A₁: one layer", both.weights, "weights", sign="="),
    ]
    picture(
        stages(panels, words, theme=theme(), size=room()),
        key="two_layers",
        alt=describe_stages(panels, words),
        table=lambda: matrix_table(both.weights, words),
    )


def _told(both: TwoLayers) -> str:
    """How far each computation is from one layer after the other, in any word and dimension."""
    in_turn = both.in_turn()
    rows = {
        "one layer with the weights A₂A₁ and the values V₁V₂": both.at_once(),
        "two layers with ReLU between them": both.with_relu(),
        "one layer as the note factorises it, A₁ and V₁V₂": both.factorised(),
    }
    lines = [
        f"| {name} | {distance(largest_difference(in_turn, other))} | "
        f"{'**the same**, up to rounding' if largest_difference(in_turn, other) < SAME else 'not the same'} |"
        for name, other in rows.items()
    ]
    head = "| computed as | largest difference from one layer after the other | verdict |\n|:--|--:|:--|"
    return (
        f"{head}\n" + "\n".join(lines) + "\n\n"
        f"The largest output is {distance(both.largest)}. A₁ and A₂ are the attention weights that the whole "
        "model computes for this sentence, held fixed here: then two layers are one layer with the weights "
        "A₂A₁, whose rows sum to 1. What makes a stack deeper is nonlinear: the softmax, through which layer "
        "1 influences A₂, and what stands between the layers, such as ReLU."
    )
