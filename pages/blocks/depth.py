"""Depth: how strongly the loss pulls at every block of a fresh model, by where layer norm stands."""

from math import log

import pandas as pd
import streamlit as st

from core.measures.blocks.gradients import DepthGradients, gradients_at_start
from core.model.config import NORMS, ModelConfig, Norm
from core.programs.gradients import gradients_program
from pages.controls.chart import chart
from pages.controls.cited import equation
from pages.controls.link import choice, switch
from pages.controls.memory import remembered
from pages.controls.picture import theme
from pages.controls.screen import columns
from pages.shell import Program, Scene
from viz.theme import Theme
from viz.units import magnitude, magnitude_ticks

HEIGHT = 360

Found = dict[Norm, DepthGradients]


def depth(scene: Scene) -> Program | None:
    """Three curves over the blocks, measured by a backward pass of each model on the sentence."""
    with scene.row:
        st.markdown("Blocks", width="content")
        n_layers = choice("depth", notes=scene.notes, hide_label=True)
        shown = norms_shown(scene)
    if len(set(scene.words)) < 2:
        scene.notes.info(
            "The models choose the next word among those of the sentence: type at least two different words."
        )
        return None
    config, seed = scene.switches.config, scene.switches.seed
    found = _measured(scene.words, config, n_layers, seed, shown)
    _draw(found, n_layers)
    st.markdown(_told(found, n_layers, len(set(scene.words))))
    formulas(config)
    return Program(lambda: gradients_program(scene.plain, config, n_layers=n_layers, seed=seed))


@remembered(saying="Going backwards through the models …")
def _measured(
    words: tuple[str, ...], config: ModelConfig, n_layers: int, seed: int, norms: tuple[Norm, ...]
) -> Found:
    return gradients_at_start(words, config, n_layers=n_layers, seed=seed, norms=norms)


def norms_shown(scene: Scene) -> tuple[Norm, ...]:
    """The placements of the norm that are drawn: *none* stretches the axis until the others look alike."""
    every = switch("with_none", notes=scene.notes)
    return NORMS if every else tuple(norm for norm in NORMS if norm != "none")


def norm_colours(look: Theme) -> dict[str, str]:
    """The three placements of the norm with their colours, in the order in which they are named."""
    return {"pre": look.attention, "post": look.value, "none": look.recurrence}


def _table(found: Found) -> pd.DataFrame:
    """A line for each block of each model; what is 0 has no place on a logarithmic axis."""
    return pd.DataFrame(
        [
            (norm, layer, float(length))
            for norm, gradients in found.items()
            for layer, length in enumerate(gradients.blocks, start=1)
            if length > 0  # 0 where every word is guessed beyond doubt
        ],
        columns=["layer norm", "block", "gradient norm"],
    )


def _draw(found: Found, n_layers: int) -> None:
    shown = _table(found)
    chart(
        shown,
        key="depth_chart",
        what="Gradient norm",
        x="block",
        y="gradient norm",
        by="layer norm",
        say=magnitude,
        alt=_alt(found, n_layers),
        colours=norm_colours(theme()),
        x_title=f"block, of {n_layers}",
        y_title="gradient norm",
        x_ticks={at: str(at) for at in range(1, n_layers + 1)},
        y_ticks=magnitude_ticks(shown["gradient norm"]),
        log="y",
        height=HEIGHT,
    )


def _alt(found: Found, n_layers: int) -> str:
    told = "; ".join(
        f"{norm} {magnitude(one.blocks[0])} at the first and {magnitude(one.blocks[-1])} at the last"
        for norm, one in found.items()
    )
    return f"Gradient norm of each of {n_layers} blocks before training, by layer norm: {told}."


def _told(found: Found, n_layers: int, n_different: int) -> str:
    """What the measurement says, whatever the numbers are."""
    parts = "; ".join(
        f"**{norm}** {magnitude(one.blocks[0])} at the first block, {magnitude(one.blocks[-1])} at the last, "
        f"loss {magnitude(one.loss)} nats"
        for norm, one in found.items()
    )
    return (
        f"Before any training, {n_layers} blocks deep: the norm of ∂loss / ∂weights of each block, from one "
        f"backward pass on this sentence. {parts}. A uniform guess among its {n_different} different words "
        f"has a loss of ln {n_different} = {log(n_different):.2f} nats. {_spread(found)} All blocks of a "
        "model learn at one rate, which suits all only if their gradients are alike. Gradients from word "
        "to word are on the page [Gradients](/gradients?view=Jacobians)."
    )


def _spread(found: Found) -> str:
    """How many times the gradient of one block is that of another in the same model."""
    spreads = {norm: max(one.blocks) / min(one.blocks) for norm, one in found.items() if min(one.blocks) > 0}
    told = [f"in **{norm}** it is {magnitude(spread)} times the smallest" for norm, spread in spreads.items()]
    return f"The largest gradient: {', '.join(told)}." if told else ""


def formulas(config: ModelConfig) -> None:
    """Where the norm stands in the two kinds of blocks that have one; `config` says whether they add."""
    plus, without = ("+ h", "") if config.residual else ("", ", without its residual connection")
    left, right = columns(2)
    with left:
        equation(rf"h_\text{{pre-norm}} = f(\text{{LN}}(h)) {plus}", f"CS 224N note, eq 30{without}")
    with right:
        equation(rf"h_\text{{post-norm}} = \text{{LN}}(f(h) {plus})", f"CS 224N note, eq 31{without}")
