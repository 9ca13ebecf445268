"""Distance: how far the word k back can still move the state of the last word, in three networks."""

from collections.abc import Mapping
from math import log

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.distance import long_range
from core.analysis.gradients.networks import FURTHEST, INITIAL, STAGES, TRAINED
from core.analysis.gradients.reach import Reach, factor_per_word, reach
from core.config import ModelConfig
from core.programs.vanishing import reach_program
from core.text.language import encode
from pages.controls.chart import chart
from pages.controls.cited import equation
from pages.controls.link import choice
from pages.controls.memory import remembered
from pages.controls.picture import theme
from pages.interaction_views.trained import colours
from pages.shell import Program, Scene
from viz.units import magnitude, magnitude_ticks

ATTENTION = "attention"
"""What the curve of the Transformer is called, as in the lecture."""

BACK, NORM, NETWORK = "words back", "norm", "network"
USUAL = FURTHEST[1]
HEIGHT = 430
STEPS = 5
"""So many parts the axis of distances has."""

STEADY = 0.01
"""A factor per word this near to 1 is said to be none."""


def distance(scene: Scene) -> Program:
    """Six curves: three networks, each before training and after it."""
    with scene.row:
        furthest = chosen_reach(scene)
    scene.name_unknown(encode(scene.plain).unknown)
    config, seed = scene.switches.config, scene.switches.seed
    found = _reached(scene.words, config, seed, furthest)
    _draw(found, min(len(scene.words), furthest + 1))
    st.markdown(told(found.norms))
    st.caption(_how_measured(len(scene.words), furthest, seed, config.max_len))
    _formulas()
    return Program(
        lambda: reach_program(scene.plain, config, seed=seed, furthest=furthest),
        "the norms of every curve, from the last word back",
    )


def chosen_reach(scene: Scene) -> int:
    """How many words back gradients are followed."""
    st.markdown("Up to", width="content")
    return choice("reach", "Words back", FURTHEST, USUAL, notes=scene.notes, hide_label=True)


@remembered(saying="Going back through the text …")
def _reached(words: tuple[str, ...], config: ModelConfig, seed: int, furthest: int) -> Reach:
    return reach(words, config, seed=seed, furthest=furthest)


def name_of(network: str, stage: str = TRAINED) -> str:
    """What a curve is called: `RNN`, and before it has learned anything `RNN, initial`."""
    name = ATTENTION if network == long_range.TRANSFORMER else network
    return name if stage == TRAINED else f"{name}, {stage}"


def _table(found: Reach) -> pd.DataFrame:
    """A row for each network and distance, the trained ones first; a norm of 0 has no logarithm."""
    rows = [
        (name_of(network, stage), back, float(norm))
        for stage in reversed(STAGES)
        for (network, of), norms in found.norms.items()
        if of == stage
        for back, norm in enumerate(norms)
        if norm > 0
    ]
    return pd.DataFrame(rows, columns=[NETWORK, BACK, NORM])


def _behind(found: Reach) -> pd.DataFrame:
    """The table behind the picture: a row for each word, from the last one back."""
    norms = {name_of(*name): values for name, values in found.norms.items()}
    return pd.DataFrame({BACK: range(len(found.words)), "word": found.words[::-1], **norms})


def _draw(found: Reach, n_typed: int) -> None:
    shown, of_network = _table(found), colours(theme())
    furthest = len(found.words) - 1
    chart(
        shown,
        key="reach_chart",
        what="The norm of ∂ last state / ∂ word vector",
        behind=lambda: _behind(found),
        x=BACK,
        y=NORM,
        by=NETWORK,
        say=magnitude,
        colours={
            name_of(network, stage): colour
            for stage in reversed(STAGES)
            for network, colour in of_network.items()
        },
        dashed=[name_of(network, INITIAL) for network in of_network],
        x_title="k, words back from the last one",
        y_title="‖∂ last state / ∂ word k back‖",
        x_ticks=ticks_back(furthest),
        y_ticks=magnitude_ticks(shown[NORM]),
        log="y",
        mark=n_typed - 0.5,
        mark_name="← your words",
        height=HEIGHT,
    )


def ticks_back(furthest: int) -> dict[float, str]:
    """The axis of distances."""
    return {at: str(at) for at in range(0, furthest + 1, furthest // STEPS)}


def told(norms: Mapping[tuple[str, str], np.ndarray]) -> str:
    """What the curves say, whatever they are: each network's exponential, and what is left at the end."""
    furthest = len(next(iter(norms.values()))) - 1
    listed = []
    for network in dict.fromkeys(network for network, _ in norms):
        before, after = (factor_per_word(norms[network, stage]) for stage in (INITIAL, TRAINED))
        left = magnitude(float(norms[network, TRAINED][-1]))
        listed.append(
            f"**{name_of(network)}** {said(after)}, {left} at {furthest} words "
            f"(before training {said(before)})"
        )
    return (
        "A curve shows how far the state of the last word moves, at most, for a step of length 1 in the "
        "vector of the word *k* back; a straight line downwards is an exponential. By the exponential that "
        f"fits best, every further word multiplies this by a factor: {'; '.join(listed)}."
    )


def said(factor: float) -> str:
    """A factor per word, and what it comes to."""
    number = f"{factor:.3f}"
    if factor >= 1 - STEADY or np.isnan(factor):
        return number
    return f"{number}, half is lost every {log(0.5) / log(factor):.1f} words"


def what_is_read(n_typed: int, furthest: int) -> str:
    """Where the words come from that were not typed."""
    n_before = furthest + 1 - n_typed
    if n_before <= 0:
        return f"The text is the last {furthest + 1} words of yours."
    return (
        f"The text has {furthest + 1} words: yours at its end, and before it {n_before} of test sentences of "
        "the language."
    )


def _how_measured(n_typed: int, furthest: int, seed: int, max_len: int) -> str:
    """What is read, and by which models."""
    start = ", from which the training began" if seed == 0 else ""
    return (
        f"Solid: trained. Dashed: at initialisation, seed {seed}{start}. "
        f"{what_is_read(n_typed, furthest)} The norm is the largest "
        "singular value of the Jacobian, in double precision. All three networks are causal, have "
        f"{long_range.N_LAYERS} layers and have learned from sentences that are mostly far shorter. None has "
        f"a limit here: the table of learned positions is the only one, and it has {max_len} rows. Which "
        "words of one sentence matter: [Interaction distance](/interaction-distance?view=influence)."
    )


def _formulas() -> None:
    equation(
        r"\frac{\partial h_n}{\partial h_{n-k}} = \prod_{i=0}^{k-1} "
        r"\frac{\partial h_{n-i}}{\partial h_{n-i-1}}",
        "Pascanu, Mikolov & Bengio 2013, eq 5: a recurrent network has one factor for every word on the "
        "way. Attention reaches every word in one step",
    )
