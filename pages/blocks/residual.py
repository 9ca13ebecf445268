"""Residual connections: the content of the residual stream, and the cost of training without them."""

import numpy as np

from core.measures.blocks.norms import N_BLOCKS, PRE, PRE_BARE, STEPS
from core.measures.blocks.parts import Stream, stream
from core.model.config import ModelConfig
from pages.blocks.block_picture import block_picture
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
from pages.contract.loading import loaded, measured
from pages.contract.question import Choose, Option
from pages.contract.question_builders import choose, is_near
from pages.contract.scene import Scene
from pages.contract.sheet import Columns, Fold, Formula, Part, PicturePart, Program, Sheet, Text
from pages.contract.static_questions import static_question
from pages.contract.switches import WITHOUT_WINDOW
from pages.contract.view import view
from viz.bar_rows import BarRows
from words import counted, magnitude, per_cent, two_decimals

PLACED = {"pre": "with pre-norm", "post": "with post-norm", "none": "without layer norm"}

READS_NORMALISED = "Pre-norm: the part f reads what layer norm makes of h"

COLUMNS = (2, 3)
"""Weights of the columns: the block, and the losses."""

WHY = (
    "Without a residual connection, f(h) alone is passed on; with one, the sum h + f(h) is. On the way "
    "back, the gradient passes the sum unchanged. Without the sum it has to pass every part: if each part "
    "shrinks it, almost nothing is left for the first block."
)

PARTS = (
    "**What the parts are for:** attention fetches from other words, but can only mix what it finds. The "
    "feed-forward layer fetches nothing: it computes something new from the vector of each word on its own. "
    "It multiplies the vector by a matrix, applies a nonlinear function to each number, and multiplies by a "
    "second matrix. So it can compute a feature that is present only if two others are. See the view "
    "[feed-forward](/blocks?view=feed-forward)."
)


TWO_MODELS = (
    f"The curves are of two models of {N_BLOCKS} blocks. The block that is drawn and the bars are of the "
    "chosen model."
)


@view(question="What are residual connections for?", sentence=MARIA, switches=WITHOUT_WINDOW)
def residual(ask: Ask, scene: Scene) -> Sheet:
    """Show what each part adds to the vectors of the sentence, and losses with and without the sum."""
    config, chosen = scene.switches.config, measured(stream, loaded, scene.words, scene.switches)
    losses = kept_losses()
    return Sheet(
        headline=through_blocks(config, chosen)
        if losses is None
        else headline(*_last(losses), frequencies_loss()),
        unknown=chosen.unknown,
        parts=(
            Columns(((_block(scene),), _losses(losses)), COLUMNS),
            Text(WHY),
            *((Text(PARTS),) if config.mlp else ()),
            *_added(scene, chosen),
            *((equation(config.norm),) if config.residual else ()),
        ),
        questions=lambda: (
            static_question("passed_on") if config.residual else None,
            None if losses is None else without_residual(*_last(losses), frequencies_loss()),
        ),
        program=lambda: Program.calling(
            "Lengths of the residual stream, before the first block and after each block.",
            stream,
            scene.subject.call,
            shows=(".lengths", ".added"),
            prints="the length of every word's vector after each block, and what each part adds",
        ),
    )


def headline(with_: float, without: float, by_frequency: float) -> str:
    """Return the losses of the shipped trainings with residual connections and without."""
    said = (
        f"After {STEPS} steps, {N_BLOCKS} blocks have a loss of {with_:.2f} nats with residual connections "
        f"and {without:.2f} without"
    )
    knows = ", about as much as word frequencies alone give" * (abs(without - by_frequency) <= ALIKE)
    return f"{said}{knows}."


def through_blocks(config: ModelConfig, chosen: Stream) -> str:
    """Return how the norm of a word's vector changes through the blocks."""
    lengths = chosen.mean_lengths()
    through = f"through the {counted(config.n_layers, 'block')} of the chosen model, {PLACED[config.norm]}"
    goes = f"the mean length of a word's vector goes from {magnitude(lengths[0])} to {magnitude(lengths[-1])}"
    if not config.residual:
        return f"Without residual connections nothing is added: {through}, {goes}."
    return f"{through[0].upper()}{through[1:]}, {goes}."


def _block(scene: Scene) -> PicturePart:
    """Draw a block of the model of the switches, as wide as this model is."""
    config = loaded(scene.words, scene.switches).model.config
    return block_picture(
        len(scene.words),
        config,
        (config.norm,),
        title=f"A block of the model, {PLACED[config.norm]}",
        lights_residual=True,
    )


def equation(norm: str) -> Formula:
    """Return the residual connection of a model with this placement of the norm."""
    right = {"pre": r"h + f(\text{LN}(h))", "post": r"\text{LN}(h + f(h))", "none": "h + f(h)"}[norm]
    return Formula(rf"h \leftarrow {right}", READS_NORMALISED * (norm == "pre"))


def _added(scene: Scene, chosen: Stream) -> tuple[Part, ...]:
    does, whole = (
        ("adds", "it is added to") if scene.switches.config.residual else ("gives", "before the part")
    )
    picture = BarRows(
        shares=np.ascontiguousarray(chosen.added.T),
        rows={part: "attention" if part.startswith("attention") else "value" for part in chosen.parts},
        columns=scene.marked(chosen.unknown),
        title=f"Length of what each part {does}, in per cent of the word's vector",
        top=float(chosen.added.max()) or 1.0,
    )
    shares = chosen.added.mean(axis=0)
    most = int(shares.argmax())
    average = "On average over the words, " * (len(chosen.added) > 1)
    is_most = " most" * (len(chosen.parts) > 1)
    said = (
        f"A bar is the length of the vector that a part {does}, in per cent of the vector {whole}. "
        f"{average}{chosen.parts[most]} {does}{is_most}: {per_cent(float(shares[most]))}. "
        f"{through_blocks(scene.switches.config, chosen)}"
    )
    return PicturePart("added", picture), Text(said, "remark")


def _losses(losses: Losses | None) -> tuple[Part, ...]:
    if losses is None:
        return (MISSING,)
    drawn = loss_curves(
        "residual_curves",
        losses,
        {PRE: "with", PRE_BARE: "without"},
        {PRE: ROLES["pre"], PRE_BARE: ROLES["none"]},
        title="Loss with residual connections and without against training steps",
    )
    return (
        drawn,
        Text(TWO_MODELS, "remark"),
        Fold("How they were trained", (Text(SETTING),)),
    )


def _last(losses: Losses) -> tuple[float, float]:
    return losses[PRE][-1], losses[PRE_BARE][-1]


def without_residual(with_: float, without: float, by_frequency: float) -> Choose | None:
    """Ask where the loss ends without residual connections; None if two answers could be right."""

    def option(loss: float, why_not: str = "") -> Option:
        return Option(f"near {loss:.1f} nats", is_near(without, loss, within=ALIKE, beyond=APART), why_not)

    return choose(
        f"{N_BLOCKS} blocks with residual connections end a short training at {two_decimals(with_)} nats. A "
        f"model that knows only how frequent each word is has {two_decimals(by_frequency)} nats. Where does "
        "the training end without residual connections?",
        option(with_, "Then they would be of no use here."),
        option((with_ + by_frequency) / 2),
        option(by_frequency, "Then nothing would be learned beyond how frequent each word is."),
        because=f"It ends at {two_decimals(without)} nats.",
    )
