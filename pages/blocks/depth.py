"""Depth: the gradient of the last block against the number of blocks, and of every block of one model."""

from dataclasses import dataclass
from math import log

import pandas as pd

from core.measures.blocks.gradients import DEPTHS, DepthGradients, gradients_at_start
from core.measures.blocks.last_block import last_block_gradients
from core.model.config import NORMS, ModelConfig, Norm
from core.programs.gradients import gradients_program
from core.sources.random_weights import fresh
from pages.blocks import last_block
from pages.blocks.last_block import LastBlock, last_block_picture
from pages.blocks.norms import colours, equations, placed
from pages.blocks.questions import gradient_of_last, pre_or_post
from pages.blocks.switches import AT_START
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Columns, Notice, Sheet, Shown, Text
from pages.controls.examples import MARIA
from pages.controls.memory import remembered
from pages.shell import Program, Scene, View
from pages.shell.five import five
from viz.curves import chart
from viz.text import counted
from viz.units import magnitude, magnitude_ticks

HEIGHT = 290

TOO_FEW = "The models choose the next word among those of the sentence: type at least two different words."

Gradients = dict[Norm, DepthGradients]


@dataclass(frozen=True)
class Choices:
    """How many blocks the models have, and which placements of the norm are drawn."""

    n_layers: int
    norms: tuple[Norm, ...]


@dataclass(frozen=True)
class Found:
    """The gradients of fresh models on a sentence; None where it has fewer than two different words."""

    scene: Scene
    n_layers: int
    gradients: Gradients | None
    last: LastBlock | None


def ask(ask: Ask, scene: Scene) -> Choices:
    """The depth, and whether the model without layer norm is drawn: it stretches the axis."""
    ask.name("Blocks")
    n_layers = ask.choice("depth", hide_label=True)
    every = ask.switch("with_none")
    return Choices(n_layers, NORMS if every else tuple(norm for norm in NORMS if norm != "none"))


def find(scene: Scene, choices: Choices) -> Found:
    """A backward pass of each model on the sentence."""
    if len(set(scene.words)) < 2:
        return Found(scene, choices.n_layers, None, None)
    switches = scene.switches
    gradients = _measured(scene.words, switches.config, choices.n_layers, switches.seed, choices.norms)
    last = _last_block(scene.words, switches.config, switches.seed)
    return Found(scene, choices.n_layers, gradients, last)


@remembered(saying="Going backwards through models of more and more blocks …")
def _last_block(words: tuple[str, ...], config: ModelConfig, seed: int) -> LastBlock:
    return last_block_gradients(lambda one: fresh(one, words, seed), config)


@remembered(saying="Going backwards through the models …")
def _measured(
    words: tuple[str, ...], config: ModelConfig, n_layers: int, seed: int, norms: tuple[Norm, ...]
) -> Gradients:
    return gradients_at_start(lambda one: fresh(one, words, seed), config, n_layers=n_layers, norms=norms)


def sheet(found: Found, look: Look) -> Sheet:
    """The gradient norm of the last block by the number of blocks, and of every block of one model."""
    if found.gradients is None or found.last is None:
        return Sheet(notes=(Notice(TOO_FEW),))
    n_different, config = len(set(found.scene.words)), found.scene.switches.config
    last, every = look.columns((1, 1))
    pictures = (
        (last_block_picture(found.last, last),),
        (_curves(found.gradients, found.n_layers, every),),
    )
    return Sheet(
        answer=last_block.answer(found.last),
        parts=(
            Columns(tuple((one,) for one in equations(config))),
            Columns(pictures, (1.0, 1.0)),
            Text(last_block.explanation(found.last, residual=config.residual, mlp=config.mlp)),
            Text(_explanation(found.gradients, found.n_layers, n_different)),
        ),
    )


def _curves(gradients: Gradients, n_layers: int, look: Look) -> Shown:
    table = _table(gradients)
    picture = chart(
        table,
        title=f"Gradient norm of every block before training, {n_layers} blocks",
        x="block",
        y="gradient norm",
        by="layer norm",
        say=magnitude,
        alt=_alt(gradients, n_layers),
        theme=look.theme,
        within=look.width,
        colours=colours(look.theme),
        x_title=f"block number, of {n_layers}",
        y_title="gradient norm",
        x_ticks={at: str(at) for at in range(1, n_layers + 1)},
        y_ticks=magnitude_ticks(table["gradient norm"]),
        log="y",
        height=HEIGHT,
    )
    return Shown("depth_chart", picture)


def _table(gradients: Gradients) -> pd.DataFrame:
    """A row for each block of each model; what is 0 has no place on a logarithmic axis."""
    return pd.DataFrame(
        [
            (norm, layer, float(length))
            for norm, one in gradients.items()
            for layer, length in enumerate(one.blocks, start=1)
            if length > 0  # 0 where every word is guessed beyond doubt
        ],
        columns=["layer norm", "block", "gradient norm"],
    )


def _alt(gradients: Gradients, n_layers: int) -> str:
    told = "; ".join(
        f"{norm} {magnitude(one.blocks[0])} at the first and {magnitude(one.blocks[-1])} at the last"
        for norm, one in gradients.items()
    )
    return f"Gradient norm of each of {n_layers} blocks before training, by layer norm: {told}."


def _compared(gradients: Gradients, n_layers: int) -> str:
    """How many times the gradient of one block is that of another in the same model."""
    told = [f"{_spread(one)} {placed(norm)}" for norm, one in gradients.items()]
    return (
        f"Among {counted(n_layers, 'block')} of a model before training, the largest gradient norm is "
        f"{', '.join(told)}."
    )


def _spread(one: DepthGradients) -> str:
    if not max(one.blocks) > 0:
        return "0"
    if not min(one.blocks) > 0:
        return f"{magnitude(max(one.blocks))} and the smallest 0"
    return f"{magnitude(max(one.blocks) / min(one.blocks))} times the smallest"


def _explanation(gradients: Gradients, n_layers: int, n_different: int) -> str:
    """The gradients at both ends and the loss of every model, and what gradients have to do with learning."""
    parts = "; ".join(
        f"**{norm}** {magnitude(one.blocks[0])} at the first block, {magnitude(one.blocks[-1])} at the last, "
        f"loss {magnitude(one.loss)} nats"
        for norm, one in gradients.items()
    )
    return (
        f"The second picture shows one depth, {n_layers} blocks: the norm of ∂loss / ∂weights of all "
        f"matrices of each block. {_compared(gradients, n_layers)} {parts}. A uniform guess among the "
        f"{n_different} different words of this sentence has a loss of ln {n_different} = "
        f"{log(n_different):.2f} nats. Gradients from word to word are on the page "
        "[Gradients](/gradients?follow=Jacobians)."
    )


def questions(found: Found) -> tuple[Question | None, ...]:
    """What depth makes of the gradient of the last block, and what tells pre-norm from post-norm."""
    if found.last is None:
        return ()
    kept = last_block.ratio(found.last["pre"])
    has_sum = found.scene.switches.config.residual
    return gradient_of_last(kept, DEPTHS[0], DEPTHS[-1]), pre_or_post() if has_sum else None


def program(found: Found) -> Program | None:
    """The gradients of every block."""
    if found.gradients is None:
        return None
    scene, n_layers = found.scene, found.n_layers
    config, seed = scene.switches.config, scene.switches.seed
    return Program(lambda: gradients_program(scene.plain, config, n_layers=n_layers, seed=seed))


VIEW = View(
    sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program),
    sentence=MARIA,
    switches=AT_START,
)
