"""Pre-norm and post-norm: both blocks, the gradient of the last one, and trainings of both."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import log

import numpy as np
import pandas as pd
from jaxtyping import Float

from core.measures.architectures.diagram import diagram
from core.measures.architectures.models import seen_stack
from core.measures.blocks.norms import (
    COMPARED,
    DEPTHS,
    POST,
    POST_WARM,
    PRE,
    PRE_WARM,
    SETTINGS,
    WARM_UP,
    expected_of_pre,
    last_block_gradients,
    train,
)
from core.model.config import NORMS, ModelConfig, Norm
from core.programs import Call, calling
from core.sources.random_weights import fresh
from core.words import magnitude, magnitude_ticks, two_decimals
from pages.architectures.drawing import drawn_boxes
from pages.blocks.short_training import training
from pages.blocks.trainings import (
    ALIKE,
    HEIGHT,
    MISSING,
    SETTING,
    Losses,
    colours,
    kept_losses,
    loss_curves,
)
from pages.contract.ask import Ask
from pages.contract.examples import MARIA
from pages.contract.look import Look
from pages.contract.memory import remembered
from pages.contract.predict import choose, choose_largest, exceeds, is_near
from pages.contract.program import Program
from pages.contract.question import Choose, Option
from pages.contract.scene import Scene
from pages.contract.sheet import Columns, Fold, Formula, Notice, Sheet, Shown, Text
from pages.contract.switches import WITHOUT_WINDOW
from pages.contract.view import view
from viz.architectures import Box, architecture
from viz.curves import chart

GRADIENT, WARMED, NOW = SHOWN = ("gradient", "warm-up", "training")

TOO_FEW = "The models choose the next word among those of the sentence: type at least two different words."

ROOT = "as 1/√L"
"""The name of a curve that begins where the curve of pre-norm does."""

FLAT = 0.5
"""A norm that keeps more than this share of its size over all depths does not fall as 1/√L does."""

STAYS, CHANGES = 1.1, 1.4
"""Factors up to which a norm stays about the same, and from which on it changes."""

COLUMNS, TALLEST = (5, 6), 330
"""The blocks beside the chart; pixels of height of the blocks."""

LastBlock = Mapping[Norm, Float[np.ndarray, "depth"]]


@view(
    question="Should layer norm stand before a part or after the sum?",
    sentence=MARIA,
    switches=WITHOUT_WINDOW - {"model", "layers", "norm"},
)
def pre_and_post(ask: Ask, scene: Scene) -> Sheet:
    """Draw both blocks, and beside them what was measured of models that are built of them."""
    config, shows = scene.switches.config, ask.choice("shows", options=SHOWN, hide_label=True)
    left, right = ask.look.columns(COLUMNS)
    if shows == WARMED:
        made = _warm_up(right)
    else:
        norms = NORMS if ask.switch("with_none") else COMPARED
        made = (_gradient if shows == GRADIENT else training)(ask, scene, norms, right)
    drawn, *below = made.parts
    blocks = _blocks(scene.words, config, scene.switches.seed, left)
    losses = kept_losses()
    return replace(
        made,
        parts=(
            Columns(((blocks,), (drawn,)), COLUMNS),
            *below,
            *((Text(recommendation(losses)),) if losses is not None else ()),
            Columns(tuple((one,) for one in equations(config))),
        ),
        questions=lambda: (*made.questions(), pre_or_post() if config.residual else None),
    )


def _blocks(words: tuple[str, ...], config: ModelConfig, seed: int, look: Look) -> Shown:
    """Draw a block of each kind, as the forward pass of a model of one block has its parts."""
    boxes = [box for norm in COMPARED for box in _block(words, replace(config, norm=norm), seed)]
    title = "A block with pre-norm and a block with post-norm"
    picture = architecture(
        boxes,
        title=title,
        theme=look.theme,
        width=look.room(),
        tallest=TALLEST,
        behind=lambda: pd.DataFrame(
            {"block": [box.stack for box in boxes], "shape": [box.shape for box in boxes]},
            index=pd.Index([box.title for box in boxes], name="part"),
        ),
    )
    return Shown("blocks", picture)


@remembered()
def _block(words: tuple[str, ...], config: ModelConfig, seed: int) -> tuple[Box, ...]:
    """Return the boxes of one block, from its input upwards, in a column named for its norm."""
    seen = seen_stack(fresh(replace(config, n_layers=1), words, seed))
    parts = diagram(seen.anatomy, 0)
    inside = [box for box in drawn_boxes(seen, parts, 0) if box.block]
    names, column = {box.name for box in inside}, f"{config.norm}-norm"
    shape = inside[0].shape
    entry = Box(f"{column} h", "words", "h", shape, (), stack=column)
    leaves = Box(
        f"{column} out", "words", "to the next block", shape, (f"{column} {inside[-1].name}",), stack=column
    )
    return (
        entry,
        *(
            replace(
                box,
                name=f"{column} {box.name}",
                inputs=tuple(f"{column} {one}" if one in names else entry.name for one in box.inputs),
                notes=(),
                stack=column,
                block=column,
            )
            for box in inside
        ),
        leaves,
    )


def equations(config: ModelConfig) -> tuple[Formula, Formula]:
    """Return both placements of the norm as formulas; `config` says whether the models add."""
    plus, without = ("+ h", "") if config.residual else ("", ", without its residual connection")
    return (
        Formula(rf"h_\text{{pre-norm}} = f(\text{{LN}}(h)) {plus}", f"CS 224N note, eq 30{without}"),
        Formula(rf"h_\text{{post-norm}} = \text{{LN}}(f(h) {plus})", f"CS 224N note, eq 31{without}"),
    )


def recommendation(losses: Losses) -> str:
    """Return which placement the trainings that come with the app speak for, if any, by a clear margin."""
    last = {name: losses[name][-1] for name in (PRE, PRE_WARM, POST, POST_WARM)}
    ends = (
        f"pre-norm ends at {last[PRE]:.2f} nats without a warm-up and {last[PRE_WARM]:.2f} with one, "
        f"post-norm at {last[POST]:.2f} and {last[POST_WARM]:.2f}"
    )
    begins = f"In the trainings that come with the app (*{WARMED}*), {ends}."
    if max(last[PRE], last[PRE_WARM]) < min(last[POST], last[POST_WARM]) - ALIKE:
        helps = " The warm-up helps post-norm." if last[POST_WARM] < last[POST] - ALIKE else ""
        return f"**What to use:** pre-norm. {begins}{helps}"
    return f"**What to use:** these models do not decide it. {begins}"


def _gradient(ask: Ask, scene: Scene, norms: Sequence[Norm], look: Look) -> Sheet:
    """Show the gradient of the last block before training, for models of more and more blocks."""
    switches = scene.switches
    if len(set(scene.words)) < 2:
        return Sheet(parts=(Notice(TOO_FEW),))
    found = _measured(scene.words, switches.config, switches.seed, tuple(norms))
    return Sheet(
        answer=last_block_headline(found),
        parts=(_gradient_chart(found, look), Text(theorem(found, switches.config))),
        questions=lambda: (gradient_of_last(found["pre"]),),
        program=lambda: Program(
            lambda: calling(
                "The gradient of the last block before training, by where layer norm stands.",
                last_block_gradients,
                partial(fresh, words=scene.plain, seed=switches.seed),
                switches.config,
                norms=norms,
            )
        ),
    )


@remembered(saying="Going backwards through models of more and more blocks …")
def _measured(words: tuple[str, ...], config: ModelConfig, seed: int, norms: tuple[Norm, ...]) -> LastBlock:
    return last_block_gradients(lambda one: fresh(one, words, seed), config, norms=norms)


def _gradient_chart(found: LastBlock, look: Look) -> Shown:
    lines: dict[str, np.ndarray] = {str(norm): lengths for norm, lengths in found.items()}
    lines[ROOT] = expected_of_pre(DEPTHS, float(found["pre"][0]))
    table = pd.DataFrame(
        [
            (name, n_blocks, float(length))
            for name, lengths in lines.items()
            for n_blocks, length in zip(DEPTHS, lengths, strict=True)
            if length > 0
        ],
        columns=["layer norm", "blocks", "gradient norm"],
    )
    own = colours(look.theme)
    picture = chart(
        table,
        title="Gradient norm of the last block against number of blocks",
        x="blocks",
        y="gradient norm",
        by="layer norm",
        say=magnitude,
        theme=look.theme,
        within=look.width,
        colours={**{norm: own[norm] for norm in found}, ROOT: look.theme.muted},
        dashed=[ROOT],
        x_title="number of blocks L",
        y_title="gradient norm",
        x_ticks={at: str(at) for at in DEPTHS},
        y_ticks=magnitude_ticks(table["gradient norm"]),
        log=True,
        height=HEIGHT,
    )
    return Shown("last_block", picture)


def ratio(lengths: Float[np.ndarray, "depth"]) -> float | None:
    """Return the gradient at the greatest depth over the gradient at the smallest; None if that is 0."""
    return float(lengths[-1] / lengths[0]) if lengths[0] > 0 else None


def last_block_headline(found: LastBlock) -> str:
    """Return how the gradient at the greatest depth compares with the gradient at the smallest."""
    told = [
        f"{'an unknown factor' if (share := ratio(found[norm])) is None else f'{share:.2f}'} with {norm}-norm"
        for norm in COMPARED
    ]
    return (
        f"From {DEPTHS[0]} to {DEPTHS[-1]} blocks, the gradient of the last block is multiplied by "
        f"{' and by '.join(told)}."
    )


def theorem(found: LastBlock, config: ModelConfig) -> str:
    """Return what is drawn, whether it follows the theorem, and what the theorem explains."""
    matrix = "second feed-forward matrix" if config.mlp else "output matrix of attention"
    drawn = (
        f"Drawn is the norm of ∂loss / ∂W of the last block's {matrix} before any training, for models of "
        "more and more blocks."
    )
    if not config.residual:
        return f"{drawn} Theorem 1 of Xiong et al. (2020) is about blocks with a residual connection."
    law = (
        f"{drawn} By theorem 1 of Xiong et al. (2020), its bound falls as 1/√L with pre-norm and does not "
        "depend on L with post-norm."
    )
    pre, post = (ratio(found[norm]) for norm in COMPARED)
    if pre is None or post is None:
        return law
    if not pre < FLAT < post < 1 / FLAT:
        return f"{law} With this sentence and seed the gradients do not do the same."
    return (
        f"{law} These gradients do the same. A small gradient is not bad: a gradient step at a high "
        "learning rate moves the last block less. The authors explain by it why post-norm needs a "
        "warm-up, in which the learning rate begins near 0. This page does not test that explanation."
    )


def _warm_up(look: Look) -> Sheet:
    """Show trainings that come with the app: both norms, with warm-up and without."""
    losses = kept_losses()
    if losses is None:
        return Sheet(parts=(MISSING,))
    own = colours(look.theme)
    names = (PRE, PRE_WARM, POST, POST_WARM)
    warmed = (
        f"With warm-up, the learning rate rises from 0 over the first {WARM_UP} steps. Steps are those of "
        f"AdamW, and gradients are clipped to a norm of {SETTINGS[POST].recipe.clip:g}."
    )
    return Sheet(
        answer=warm_up_headline(losses),
        parts=(
            loss_curves(
                "warm_up_curves",
                losses,
                {name: name for name in names},
                {name: own[SETTINGS[name].norm] for name in names},
                look,
                title="Loss with warm-up and without against training steps",
            ),
            Fold("How they were trained", (Text(f"{SETTING} {warmed}"),)),
        ),
        questions=lambda: (needs_warm_up(losses),),
        program=lambda: Program(
            lambda: calling(
                "Short trainings with and without residual connections or warm-up.",
                train,
                SETTINGS[names[0]],
                then=[Call(train, SETTINGS[name]) for name in names[1:]],
            ),
            prints="the loss of every step",
        ),
    )


def warm_up_headline(losses: Losses) -> str:
    """Return what warm-up changes of the last loss, for either norm."""
    post, pre = (
        f"from {losses[plain][-1]:.2f} to {losses[warm][-1]:.2f} nats with {norm}-norm"
        for norm, plain, warm in (("post", POST, POST_WARM), ("pre", PRE, PRE_WARM))
    )
    return f"Warm-up changes the last loss {post} and {pre}."


def pre_or_post() -> Choose | None:
    """Ask for the difference between pre-norm and post-norm."""
    return choose(
        "A block with pre-norm and one with post-norm have the same parts. What differs?",
        Option("whether the sum of the residual connection is normalised", True),
        Option(
            "how many layer norms a block has",
            False,
            "Both have one for each part. A stack with pre-norm has one more at its end, outside of the "
            "blocks.",
        ),
        Option("what the mean is taken over", False, "Both normalise each vector over its dimensions."),
        because=(
            "Post-norm normalises after the sum, so nothing passes a block unchanged. Pre-norm normalises "
            "the input of each part, and the sum itself is passed on."
        ),
    )


def gradient_of_last(lengths: Float[np.ndarray, "depth"]) -> Choose | None:
    """Ask how the gradient of the last block changes as blocks are added, with pre-norm."""
    factor = ratio(lengths)
    if not factor:
        return None
    size = log(factor)
    limit, margin = (log(STAYS) + log(CHANGES)) / 2, (log(CHANGES) - log(STAYS)) / 2
    return choose(
        f"A model with pre-norm gets {DEPTHS[-1]} blocks in place of {DEPTHS[0]}. How does the gradient of "
        "its last block change, before training?",
        Option("it falls", exceeds(-size, limit, margin)),
        Option("it stays about the same", is_near(size, 0, within=log(STAYS), beyond=log(CHANGES))),
        Option("it grows", exceeds(size, limit, margin)),
        because=f"Here its norm is multiplied by {two_decimals(factor)}.",
    )


def needs_warm_up(losses: Losses) -> Choose | None:
    """Ask which norm gains more from warm-up."""
    gains = {
        "pre-norm": losses[PRE][-1] - losses[PRE_WARM][-1],
        "post-norm": losses[POST][-1] - losses[POST_WARM][-1],
    }
    changes = (
        f"{'falls' if gain >= 0 else 'rises'} by {two_decimals(abs(gain))} nats with {norm}"
        for norm, gain in gains.items()
    )
    return choose_largest(
        "The learning rate begins high, or rises from 0. Which model gains more from the rise?",
        gains,
        because=f"In one training each, the last loss {' and '.join(changes)}.",
    )
