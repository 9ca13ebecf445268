"""Pre-norm and post-norm: both blocks, the gradient of the last one, and trainings of both."""

from dataclasses import replace
from functools import partial

import pandas as pd

from core.measures.architectures.diagram import diagram
from core.measures.architectures.models import seen_stack
from core.measures.blocks.norms import COMPARED, POST, POST_WARM, PRE, PRE_WARM, SETTINGS, WARM_UP, train
from core.model.config import NORMS, ModelConfig
from core.programs import Call, calling
from core.sources.random_weights import fresh
from pages.architectures.drawing import drawn_boxes
from pages.blocks.last_block import gradient
from pages.blocks.short_training import training
from pages.blocks.trainings import ALIKE, MISSING, ROLES, SETTING, Losses, kept_losses, loss_curves
from pages.contract.ask import Ask
from pages.contract.caption import Caption
from pages.contract.described import RANDOM, in_words
from pages.contract.examples import MARIA
from pages.contract.memory import remembered
from pages.contract.predict import choose_largest
from pages.contract.program import Program
from pages.contract.question import Choose
from pages.contract.scene import Scene
from pages.contract.sheet import Columns, Fold, Formula, Sheet, Shown, Text
from pages.contract.static_questions import static_question
from pages.contract.switches import WITHOUT_WINDOW
from pages.contract.view import view
from viz.architectures import Architecture, Box
from words import two_decimals

GRADIENT, WARMED, NOW = SHOWN = ("gradient", "warm-up", "training")

COLUMNS = (5, 6)
"""The blocks beside the chart."""


@view(
    question="Should layer norm stand before a part or after the sum?",
    sentence=MARIA,
    switches=WITHOUT_WINDOW - {"model", "layers", "norm"},
)
def pre_and_post(ask: Ask, scene: Scene) -> Sheet:
    """Draw both blocks, and beside them what was measured of models that are built of them."""
    config, shows = scene.switches.config, ask.choice("shows", options=SHOWN, hide_label=True)
    if shows == WARMED:
        made = _warm_up()
    else:
        norms = NORMS if ask.switch("with_none") else COMPARED
        made = (gradient if shows == GRADIENT else training)(ask, scene, norms)
    drawn, *below = made.parts
    blocks = _blocks(len(scene.words), config)
    losses = kept_losses()
    return replace(
        made,
        caption=Caption(models=lambda: (in_words(config, RANDOM, but=("n_layers", "norm")),)),
        parts=(
            Columns(((blocks,), (drawn,)), COLUMNS),
            *below,
            *((Text(recommendation(losses)),) if losses is not None else ()),
            Columns(tuple((one,) for one in equations(config))),
        ),
        questions=lambda: (*made.questions(), pre_or_post() if config.residual else None),
    )


def _blocks(n_words: int, config: ModelConfig) -> Shown:
    """Draw a block of each kind, as the forward pass of a model of one block has its parts."""
    boxes = [box for norm in COMPARED for box in _block(n_words, replace(config, norm=norm))]
    picture = Architecture(
        title="A block with pre-norm and a block with post-norm",
        boxes=boxes,
        behind=lambda: pd.DataFrame(
            {"block": [box.stack for box in boxes], "shape": [box.shape for box in boxes]},
            index=pd.Index([box.title for box in boxes], name="part"),
        ),
    )
    return Shown("blocks", picture)


@remembered()
def _block(n_words: int, config: ModelConfig) -> tuple[Box, ...]:
    """Return the boxes of one block, from its input upwards, in a column named for its norm.

    Of a sentence they show its length alone, so other words of the same number share them.
    """
    seen = seen_stack(fresh(replace(config, n_layers=1), [str(at) for at in range(n_words)], seed=0))
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


def _warm_up() -> Sheet:
    """Show trainings that come with the app: both norms, with warm-up and without."""
    losses = kept_losses()
    if losses is None:
        return Sheet(parts=(MISSING,))
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
                {name: ROLES[SETTINGS[name].norm] for name in names},
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


pre_or_post = partial(static_question, "pre_or_post")


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
