"""Q = K: scores are symmetric if one matrix makes queries and keys, and weights not even then."""

import streamlit as st

from core.measures.stages import Symmetry, asymmetry, is_symmetric, symmetry
from core.programs.steps import symmetry_program
from pages.controls.cited import equation
from pages.controls.picture import picture, theme
from pages.controls.screen import room
from pages.shell import Program, Scene
from pages.step_by_step.walking import walked
from viz.stages import Panel, describe_stages, stages
from viz.tables import matrix_table
from viz.units import distance

ALONE = "A single word has no other word to be compared with. Type a second one."


def q_equals_k(scene: Scene) -> Program:
    """The scores of the head as it is and with its queries for keys, and the weights of the latter."""
    seen = walked(scene)
    walk = seen.walk
    both = symmetry(walk.q, walk.k, scale=walk.scale)
    root = " / √d_head" if walk.config.scale else ""
    panels = [
        Panel(f"q·k{root}", both.scores, "scores"),
        Panel(f"K = Q: q·q{root}", both.tied_scores, "scores", sign="│"),
        Panel("softmax", both.tied_pattern, "weights"),
    ]
    picture(
        stages(panels, seen.labels, theme=theme(), size=room()),
        key="symmetry",
        alt=describe_stages(panels, seen.labels, unit=scene.unit),
        table=lambda: matrix_table(both.scores, seen.labels),
    )
    st.markdown(_told(both) if len(scene.words) > 1 else ALONE)
    equation(
        r"s_{ij} = q_i^\top k_j \;\neq\; q_j^\top k_i = s_{ji}, \qquad "
        r"Q = K \;\Rightarrow\; s_{ij} = q_i^\top q_j = s_{ji}",
        f"Textbook, section 24.4. {scene.title}, before bias and mask",
    )
    return Program(lambda: symmetry_program(scene.subject))


def _told(both: Symmetry) -> str:
    if is_symmetric(both.tied_pattern):
        weights = "Here the attention weights are symmetric too: all rows of scores have the same sum of exp."
    else:
        weights = (
            "The attention weights are not symmetric even then "
            f"(max |α − αᵀ| = {distance(asymmetry(both.tied_pattern))}), because the softmax divides each "
            "row by a sum of its own."
        )
    return (
        f"**max |S − Sᵀ|** is **{distance(asymmetry(both.scores))}** for the head as it is and "
        f"**{distance(asymmetry(both.tied_scores))}** with K = Q: then i matches j exactly as j matches i. "
        f"With two matrices, i can attend to j without j attending to i. {weights}"
    )
