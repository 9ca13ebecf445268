"""Softmax: what becomes of its entropy and of its gradient as vectors get longer."""

from math import log2

import streamlit as st

from core.measures.scaling import BY_ROOT_D, N_KEYS, N_ROWS, PLAIN
from core.programs.scaling import growth_program
from pages.controls.cited import equation
from pages.controls.screen import columns
from pages.scaling.growth import against_width, at_width, choose_length, growth
from pages.shell import Program, Scene
from viz.units import per_cent

BITS = {float(bits): str(bits) for bits in range(5)}
SIZES = {tenths / 10: f"0.{tenths}" if tenths else "0" for tenths in range(5)}

TAKEN = "Where one key has nearly all the weight, a small change of a score changes next to nothing."
NOT_YET = (
    "At this d no key has nearly all the weight yet, and the gradient without the division is even larger."
)


def softmax(scene: Scene) -> Program:
    """Entropy and gradient side by side, at the length that the slider shows and at all others."""
    seed = scene.switches.seed
    with scene.row:
        d = choose_length(scene.notes)
    table = growth(seed)
    left, right = columns(2)
    with left:
        st.markdown("## How many keys still count: entropy of the attention weights")
        alike = (log2(N_KEYS), "equal weights")
        against_width(table, d, y="entropy", y_title="entropy in bits", y_ticks=BITS, level=alike)
    with right:
        st.markdown("## How much can still be learned: norm of the softmax's gradient")
        against_width(table, d, y="gradient", y_title="gradient norm", y_ticks=SIZES)
    plain, divided = (at_width(table, d, name) for name in (PLAIN, BY_ROOT_D))
    st.markdown(
        f"Means over {N_ROWS} random rows of {N_KEYS} keys. At d = {d} the largest attention weight is "
        f"**{per_cent(plain['largest'])}** without the division and **{per_cent(divided['largest'])}** with "
        f"it; the gradient norm is {plain['gradient']:.3f} and {divided['gradient']:.3f}. "
        f"{TAKEN if plain['gradient'] < divided['gradient'] else NOT_YET}"
    )
    equation(
        r"\left\lVert \frac{\partial \alpha}{\partial s} \right\rVert = "
        r"\left\lVert \operatorname{diag}(\alpha) - \alpha \alpha^\top \right\rVert_F",
        "the derivative of a softmax; why it matters: FNLP slides, Scaling the dot product",
    )
    return Program(lambda: growth_program(seed))
