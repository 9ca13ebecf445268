"""Distance: how far the word k back can still move the state of the last word, in three networks."""

from collections.abc import Mapping

import numpy as np
import streamlit as st

from core.measures.distance import long_range
from core.measures.gradients.networks import INITIAL, STAGES, TRAINED, mean_length
from core.measures.gradients.reach import Reach, exponential, norms_of, reach
from core.model.config import ModelConfig
from core.programs.vanishing import reach_program
from core.text.language import encode
from pages.controls.cited import equation
from pages.controls.memory import remembered
from pages.controls.picture import theme
from pages.gradients.back import chosen_reach, curves_back, said, what_is_read
from pages.interaction_distance.trained import colours
from pages.shell import Program, Scene
from viz.units import magnitude

ATTENTION = "attention"
"""What the curve of the Transformer is called, as in the lecture."""

HEIGHT = 430

FITS = 0.8
"""The least R² of an exponential that is said to fit a curve."""


def distance(scene: Scene) -> Program:
    """Six curves: three networks, each before training and after it."""
    with scene.row:
        furthest = chosen_reach(scene)
    scene.name_unknown(encode(scene.plain).unknown)
    config, seed = scene.switches.config, scene.switches.seed
    with st.spinner("Going back through the text …"):
        found = reach(scene.plain, config, seed=seed, furthest=furthest, measure=_norms)
    _draw(found, min(len(scene.words), furthest + 1))
    st.markdown(told(found.norms))
    st.caption(_how_measured(len(scene.words), furthest, seed, config))
    _formulas()
    return Program(
        lambda: reach_program(scene.plain, config, seed=seed, furthest=furthest),
        "the norms of every curve, from the last word back",
    )


@remembered(256)
def _norms(text: tuple[str, ...], member: str, seed: int | None) -> np.ndarray:
    return norms_of(text, member, seed)


def name_of(network: str, stage: str = TRAINED) -> str:
    """What a curve is called: `RNN`, and before it has learned anything `RNN, initial`."""
    name = ATTENTION if network == long_range.TRANSFORMER else network
    return name if stage == TRAINED else f"{name}, {stage}"


def _draw(found: Reach, n_typed: int) -> None:
    """The trained networks first, so that their names are in front."""
    of_network = colours(theme())
    names = [(network, stage) for stage in reversed(STAGES) for network in of_network]
    curves_back(
        {name_of(*name): found.norms[name] for name in names},
        found.words,
        key="reach_chart",
        what="The norm of ∂ last state / ∂ word vector",
        y_title="‖∂ last state / ∂ word k back‖",
        colours={name_of(network, stage): of_network[network] for network, stage in names},
        dashed=[name_of(network, INITIAL) for network in of_network],
        mark=n_typed - 0.5,
        mark_name="← your words",
        height=HEIGHT,
    )


def told(norms: Mapping[tuple[str, str], np.ndarray]) -> str:
    """What the curves say: each network's exponential, where one fits, and what is left at the end."""
    furthest = len(next(iter(norms.values()))) - 1
    listed = []
    for network in dict.fromkeys(network for network, _ in norms):
        before, after = (_fitted(norms[network, stage]) for stage in (INITIAL, TRAINED))
        left = magnitude(float(norms[network, TRAINED][-1]))
        listed.append(
            f"- **{name_of(network)}** {after}; {left} at {furthest} words. Before training {before}."
        )
    return (
        "A curve shows how far the state of the last word moves, at most, for a step of length 1 in the "
        "vector of the word *k* back; a straight line downwards is an exponential. Where one fits (R² of "
        f"{FITS} or more), every further word multiplies this by:\n\n" + "\n".join(listed)
    )


def _fitted(norms: np.ndarray) -> str:
    """The factor per word, where there is one."""
    found = exponential(norms)
    return said(found.factor) if found.r_squared >= FITS else "no exponential fits"


def _how_measured(n_typed: int, furthest: int, seed: int, config: ModelConfig) -> str:
    """What is read, and by which models."""
    limit = (
        f"With learned positions attention reads no text longer than {config.max_len} words: it has a vector "
        "for each position up to there and for none beyond. "
    ) * (config.positions == "learned")
    start = ", from which the training began" if seed == 0 else ""
    return (
        f"Solid: trained. Dashed: at initialisation, seed {seed}{start}. {what_is_read(n_typed, furthest)} "
        "The norm is the largest singular value of the Jacobian, in double precision. All three networks are "
        f"causal, have {long_range.N_LAYERS} layers and have learned from single sentences, which have "
        f"{mean_length():.0f} words in the mean. {limit}Which words of one sentence matter: "
        "[Interaction distance](/interaction-distance?view=influence)."
    )


def _formulas() -> None:
    equation(
        r"\frac{\partial h_n}{\partial h_{n-k}} = \prod_{i=0}^{k-1} "
        r"\frac{\partial h_{n-i}}{\partial h_{n-i-1}}",
        "Seq2seq slides, vanishing gradient; Pascanu, Mikolov & Bengio 2013, eq 5. A recurrent network has "
        "a factor for every word on the way; attention reaches every word in one step",
    )
