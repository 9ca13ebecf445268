"""Pre-norm and post-norm: both blocks, the gradient of the last one, and trainings of both."""

from dataclasses import replace

from core.measures.blocks.norms import (
    COMPARED,
    D_MODEL,
    POST,
    POST_WARM,
    PRE,
    PRE_WARM,
    SETTINGS,
    STEPS,
    WARM_UP,
    train,
)
from core.model.config import NORMS, ModelConfig
from core.programs import Call
from pages.blocks.block_picture import block_picture
from pages.blocks.last_block import gradient
from pages.blocks.short_training import training
from pages.blocks.trainings import (
    ALIKE,
    APART,
    MISSING,
    ROLES,
    SETTING,
    Losses,
    frequencies_loss,
    kept_losses,
    loss_curves,
)
from pages.contract.ask import Ask
from pages.contract.examples import MARIA
from pages.contract.model_descriptions import RANDOM, in_words
from pages.contract.question import Choose
from pages.contract.question_builders import choose_largest
from pages.contract.scene import Scene
from pages.contract.sheet import Caption, Columns, Fold, Formula, Program, Sheet, Text
from pages.contract.static_questions import static_question
from pages.contract.switches import WITHOUT_WINDOW
from pages.contract.view import view
from words import two_decimals

GRADIENT, WARMED, NOW = SHOWN = ("gradient", "warm-up", "training")

WAY_OF_THE_GRADIENT = (
    "**Why:** with pre-norm, no layer norm stands on the way from sum to sum, so a gradient can go back "
    "along it unchanged. With post-norm, a layer norm stands on this way after every sum. GPT-2 and Llama "
    "have pre-norm; the first Transformer and BERT have post-norm. In a **warm-up** the learning rate rises "
    "from 0. Xiong et al. (2020) explain why it helps: with post-norm, the gradients of the last blocks are "
    "large before training. Small first steps keep them from moving the weights too far."
)

USUAL = "**What to use:** most language models of today have pre-norm."

OF_USUAL = (
    "The drawn blocks follow the switches. The curves do not: they are of models that come with the app, "
    "with every part in place."
)

COLUMNS = (5, 6)
"""Weights of the columns: the blocks, and the chart."""


@view(
    question="Should layer norm stand before a part or after the sum?",
    sentence=MARIA,
    switches=WITHOUT_WINDOW - {"model", "layers", "norm"},
)
def pre_and_post(ask: Ask, scene: Scene) -> Sheet:
    """Draw both blocks, and beside them a measurement of models built of them."""
    config, shows = scene.switches.config, ask.choice("shows", options=SHOWN, hide_label=True)
    if shows == WARMED:
        config, made = replace(config, d_model=D_MODEL), _warm_up()
    else:
        norms = NORMS if ask.switch("with_none") else COMPARED
        made = (gradient if shows == GRADIENT else training)(ask, scene, norms)
        config = config if shows == GRADIENT else replace(config, d_model=D_MODEL)
    drawn, *below = made.parts
    blocks = block_picture(
        len(scene.words), config, COMPARED, title="A block with pre-norm and one with post-norm"
    )
    losses = kept_losses()
    return replace(
        made,
        caption=Caption(models=lambda: (in_words(config, RANDOM, but=("n_layers", "norm")),)),
        parts=(
            Columns(((blocks,), (drawn,)), COLUMNS),
            *((Text(OF_USUAL),) if shows == WARMED and not _is_usual(config) else ()),
            *below,
            *((Text(recommendation(losses)),) if losses is not None else ()),
            *((Text(WAY_OF_THE_GRADIENT),) if config.residual else ()),
            Columns(tuple((one,) for one in equations(config))),
        ),
        questions=lambda: (*made.questions(), static_question("pre_or_post") if config.residual else None),
    )


def _is_usual(config: ModelConfig) -> bool:
    """Return whether the blocks are those of the models whose losses come with the app."""
    usual = SETTINGS[POST].config
    names = ("positions", "mask", "n_heads", "scale", "residual", "mlp")
    return all(getattr(config, name) == getattr(usual, name) for name in names)


def equations(config: ModelConfig) -> tuple[Formula, Formula]:
    """Return both placements of the norm as formulas; `config` says whether the models add."""
    plus = "+ h" if config.residual else ""
    return (
        Formula(rf"h_\text{{pre-norm}} = f(\text{{LN}}(h)) {plus}"),
        Formula(rf"h_\text{{post-norm}} = \text{{LN}}(f(h) {plus})"),
    )


def recommendation(losses: Losses) -> str:
    """Return the placement to use, and whether the shipped trainings support it by a clear margin."""
    last = {name: losses[name][-1] for name in (PRE, PRE_WARM, POST, POST_WARM)}
    begins = (
        f"Losses of the training runs that come with the app (*{WARMED}*): pre-norm ends at {last[PRE]:.2f} "
        f"nats without a warm-up and {last[PRE_WARM]:.2f} with one. Post-norm ends at {last[POST]:.2f} and "
        f"{last[POST_WARM]:.2f}."
    )
    if max(last[PRE], last[PRE_WARM]) < min(last[POST], last[POST_WARM]) - ALIKE:
        helps = " The warm-up helps post-norm." if last[POST_WARM] < last[POST] - ALIKE else ""
        return f"{USUAL} {begins}{helps} Training runs of other models may end otherwise."
    return f"{USUAL} {begins} These training runs do not show which is better."


def _warm_up() -> Sheet:
    """Show the shipped trainings: both norms, with warm-up and without."""
    losses = kept_losses()
    if losses is None:
        return Sheet(parts=(MISSING,))
    names = (PRE, PRE_WARM, POST, POST_WARM)
    warmed = (
        f"With warm-up, the learning rate rises from 0 over the first {WARM_UP} steps. The optimiser is "
        f"AdamW, and gradients are clipped to a norm of {SETTINGS[POST].recipe.clip:g}."
    )
    return Sheet(
        headline=warm_up_headline(losses, frequencies_loss()),
        parts=(
            loss_curves(
                "warm_up_curves",
                losses,
                {name: name for name in names},
                {name: ROLES[SETTINGS[name].norm] for name in names},
                title="Loss with warm-up and without against training steps",
                ends=(POST, POST_WARM),
            ),
            Fold("How they were trained", (Text(f"{SETTING} {warmed}"),)),
        ),
        questions=lambda: (needs_warm_up(losses),),
        program=lambda: Program.calling(
            "Short trainings with pre-norm and with post-norm, each with warm-up and without.",
            train,
            SETTINGS[names[0]],
            then=[Call(train, SETTINGS[name]) for name in names[1:]],
            prints="the loss of every step",
        ),
    )


def warm_up_headline(losses: Losses, by_frequency: float) -> str:
    """Return that post-norm learns little without a warm-up, or else how a warm-up changes the last loss.

    It learns little if its last loss is near the loss of word frequencies alone.
    """
    last = {name: losses[name][-1] for name in (PRE, PRE_WARM, POST, POST_WARM)}
    learns_little = by_frequency - last[POST] < APART
    if learns_little and last[POST_WARM] < last[POST] - APART and last[PRE] < last[POST] - APART:
        return (
            f"In one training of {STEPS} steps each, post-norm learns little without a warm-up: it ends at "
            f"{last[POST]:.2f} nats, and at {last[POST_WARM]:.2f} with one. Pre-norm without a warm-up ends "
            f"at {last[PRE]:.2f}."
        )
    post, pre = (
        f"from {losses[plain][-1]:.2f} to {losses[warm][-1]:.2f} nats with {norm}-norm"
        for norm, plain, warm in (("post", POST, POST_WARM), ("pre", PRE, PRE_WARM))
    )
    return f"Warm-up changes the last loss {post} and {pre}."


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
        "The learning rate begins high, or rises from 0 in a warm-up. Which model gains more from a warm-up?",
        gains,
        because=f"In one training each, the last loss {' and '.join(changes)}.",
    )
