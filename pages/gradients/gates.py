"""Gates: what an LSTM's gates do at every word, and what they leave of its cell on the way back."""

import numpy as np
import pandas as pd
import streamlit as st

from core.measures.gradients import gates as of_lstm
from core.measures.gradients.gates import Gates
from core.programs.vanishing import gates_program
from core.text.language import encode
from pages.controls.cited import equation
from pages.controls.link import choice, number
from pages.controls.memory import remembered
from pages.controls.parameters import options_of
from pages.controls.picture import picture, theme
from pages.controls.screen import columns
from pages.controls.sentence import marked
from pages.gradients.back import curves_back
from pages.shell import Program, Scene
from viz.number_map import describe_number_map, number_map
from viz.text import counted
from viz.units import magnitude, per_cent

WHOLE, BEST, MEAN = "all paths", "best unit", "mean over units"
"""The curves: everything that is left of the cell, and along the cell alone in one unit and in the mean."""

TRAINED, RANDOM = options_of("lstm")

OPEN = 0.9
"""A unit whose forget gate is above this on average counts as one that keeps its cell."""

LOWEST, AROUND, ROW = 300, 76, 19
"""Heights in pixels: of the pictures at least, around the rows of the matrix, and of a row."""


def gates(scene: Scene) -> Program:
    """The gates as a matrix, and beside it how much of the cell of every word is left in the last one."""
    with scene.row:
        st.markdown("Gate", width="content")
        gate = choice("gate", notes=scene.notes, hide_label=True)
        seed = _seed(scene)
    unknown = encode(scene.plain).unknown
    scene.name_unknown(unknown)
    found = _found(scene.words, scene.layer, seed)
    labels = marked(scene.plain, unknown)
    height = max(LOWEST, AROUND + ROW * len(labels))
    left, right = columns(2)
    with left:
        st.markdown(f"**The {gate} gate, a column for each of {len(found.order)} units**")
        _draw_gates(found, gate, labels, height)
    with right:
        if len(labels) > 1:
            st.markdown("**What is left of the cell *k* words back**")
            _draw_left(found, labels, height)
    st.markdown(told(found))
    _formulas()
    st.caption(_how_measured(seed))
    return Program(
        lambda: gates_program(scene.plain, layer=scene.layer, gate=gate, seed=seed),
        "the gate's matrix, and below it for every k what is left by all paths, in the best unit and "
        "in the mean over units",
    )


def _seed(scene: Scene) -> int | None:
    """The seed of the LSTM's weights; None where they are trained."""
    st.markdown("LSTM", width="content")
    stage = choice("lstm", notes=scene.notes, hide_label=True)
    if stage == TRAINED:
        return None
    return number("seed", notes=scene.notes, width=120)


@remembered()
def _found(words: tuple[str, ...], layer: int, seed: int | None) -> Gates:
    return of_lstm.gates(words, layer=layer, seed=seed)


def _draw_gates(found: Gates, gate: of_lstm.Gate, labels: tuple[str, ...], height: int) -> None:
    values = found.gates[gate][:, found.order]
    picture(
        number_map(
            values,
            x_title="units, by their mean forget gate",
            y_title="word",
            theme=theme(),
            height=height,
            rows=labels,
            of_shares=True,
        ),
        key="gates_map",
        alt=describe_number_map(values, what=f"The {gate} gate of every unit at every word"),
        table=lambda: _matrix(values, found.order, labels),
    )


def _matrix(values: np.ndarray, order: list[int], labels: tuple[str, ...]) -> pd.DataFrame:
    """A row for each word, and a column for each unit by its number, in the order of the picture."""
    table = pd.DataFrame(values, columns=[f"unit {unit + 1}" for unit in order])
    table.insert(0, "word", labels)
    return table


def _draw_left(found: Gates, labels: tuple[str, ...], height: int) -> None:
    look = theme()
    curves_back(
        {WHOLE: found.whole, BEST: found.direct.max(axis=1), MEAN: found.direct.mean(axis=1)},
        labels,
        key="left_chart",
        what="What is left of the cell",
        y_title="∂c at the end / ∂c there",
        colours={WHOLE: look.ink, BEST: look.value, MEAN: look.value},
        dashed=(MEAN,),
        height=height,
    )


def told(found: Gates) -> str:
    """How open the forget gates are, and what that leaves of the first word's cell."""
    forget, n = found.gates["forget"], len(found.whole)
    means = forget.mean(axis=0)
    n_open = int((means > OPEN).sum())
    best = int(found.direct[-1].argmax())
    opened = (
        f"The forget gate is {forget.mean():.2f} on average, and in {n_open} of {len(means)} units its mean "
        f"is above {OPEN}."
    )
    if n == 1:
        return f"{opened} With one word there is nothing to be kept."
    return (
        f"{opened} Along the cell alone the gradient is the product of the forget gates: over "
        f"{counted(n - 1, 'word')} the mean over units of what is left is "
        f"{per_cent(float(found.direct[-1].mean()))}, and {per_cent(float(found.direct[-1, best]))} is left "
        f"in unit {best + 1}, the best one. By all paths, those through hidden states too, "
        f"the largest singular value is {magnitude(float(found.whole[-1]))}."
    )


def _how_measured(seed: int | None) -> str:
    """Which network this is."""
    origin = "trained on the next word" if seed is None else f"at initialisation, seed {seed}"
    return (
        f"The LSTM is that of *distance*, {origin}, in double precision. Units are in the order of their "
        "mean forget gate over this sentence, whichever gate is shown. Each layer is followed alone, given "
        "what it reads. A forget gate that closes cuts the way: what is forgotten on purpose has no gradient."
    )


def _formulas() -> None:
    left, right = columns(2)
    with left:
        equation(
            r"f_t = \sigma(W_f h_{t-1} + U_f x_t + b_f), \qquad "
            r"c_t = f_t \odot c_{t-1} + i_t \odot \tilde c_t",
            "Seq2seq slides, LSTMs; the forget gate is that of Gers et al. 2000",
        )
    with right:
        equation(
            r"\frac{\partial c_n}{\partial c_{n-k}} = \prod_t \text{diag}(f_t) + \text{paths through } h",
            "Hochreiter & Schmidhuber 1997, section 3.2, where the factor is 1: the constant error carrousel",
        )
