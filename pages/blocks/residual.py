"""Residual connections: what the residual stream carries, and what a training without them costs."""

from functools import partial

import numpy as np

from core.measures.blocks.norms import N_BLOCKS, PRE, PRE_BARE, STEPS
from core.measures.blocks.parts import Stream, stream
from core.model.config import ModelConfig
from core.programs import calling
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
from pages.contract.loading import loaded
from pages.contract.memory import remembered
from pages.contract.predict import choose, is_near
from pages.contract.program import Program
from pages.contract.question import Choose, Option
from pages.contract.scene import Scene
from pages.contract.sheet import Columns, Fold, Formula, Part, Sheet, Shown, Text
from pages.contract.static_questions import static_question
from pages.contract.switches import WITHOUT_WINDOW, Architecture
from pages.contract.view import view
from viz.bar_rows import BarRows
from words import counted, magnitude, per_cent, two_decimals

PLACED = {"pre": "with pre-norm", "post": "with post-norm", "none": "without layer norm"}

COLUMNS = (5, 3)
"""What each part adds beside the losses."""

WHY = (
    "The gradient of x + f(x) with respect to x is I + ∂f/∂x. With pre-norm, the identity carries the "
    "gradient past every part to the first block; with post-norm, a layer norm stands on this way after "
    "every sum. Without the sum, the gradient is a product of as many Jacobians as there are parts."
)


@view(question="What are residual connections for?", sentence=MARIA, switches=WITHOUT_WINDOW)
def residual(ask: Ask, scene: Scene) -> Sheet:
    """Show what each part adds to the vectors of the sentence, and losses with and without the sum."""
    config, chosen = scene.switches.config, _stream(scene.words, scene.switches)
    losses = kept_losses()
    return Sheet(
        answer=headline(config, chosen),
        unknown=chosen.unknown,
        parts=(
            Columns((_added(scene, chosen), _losses(losses)), COLUMNS),
            *((equation(config.norm),) if config.residual else ()),
            Text(WHY),
        ),
        questions=lambda: (
            passed_on() if config.residual else None,
            None if losses is None else without_residual(*_last(losses), frequencies_loss()),
        ),
        program=lambda: Program(
            lambda: calling(
                "Lengths of the residual stream, before the first block and after each block.",
                stream,
                scene.subject.call,
                shows=(".lengths", ".added"),
            )
        ),
    )


@remembered()
def _stream(words: tuple[str, ...], switches: Architecture) -> Stream:
    return stream(loaded(words, switches))


def headline(config: ModelConfig, chosen: Stream) -> str:
    """Return how the norm of a word's vector changes through the blocks."""
    lengths = chosen.mean_lengths()
    through = f"through {counted(config.n_layers, 'block')} {PLACED[config.norm]}"
    goes = f"the mean norm of a word's vector goes from {magnitude(lengths[0])} to {magnitude(lengths[-1])}"
    if not config.residual:
        return f"Without residual connections nothing is added: {through}, {goes}."
    return f"{through[0].upper()}{through[1:]}, {goes}."


def equation(norm: str) -> Formula:
    """Return the residual connection of a model with this placement of the norm."""
    right = {"pre": r"f(\text{LN}(h)) + h", "post": r"\text{LN}(f(h) + h)", "none": "f(h) + h"}[norm]
    placed_by = {"pre": " and 30", "post": " and 31", "none": ""}[norm]
    return Formula(rf"h \leftarrow {right}", f"CS 224N note, eq 29{placed_by}")


def _added(scene: Scene, chosen: Stream) -> tuple[Part, ...]:
    does = "adds" if scene.switches.config.residual else "gives"
    picture = BarRows(
        shares=np.ascontiguousarray(chosen.added.T),
        rows={part: "attention" if part.startswith("attention") else "value" for part in chosen.parts},
        columns=scene.marked(chosen.unknown),
        title=f"Norm of what each part {does}, in per cent of the word's vector",
        top=float(chosen.added.max()) or 1.0,
    )
    shares = chosen.added.mean(axis=0)
    most = int(shares.argmax())
    said = (
        f"Norm of what each part {does}, in per cent of the norm of the word's vector at that point. On "
        f"average over the words, {chosen.parts[most]} {does} most: {per_cent(float(shares[most]))}."
    )
    return Shown("added", picture), Text(said, "remark")


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
        Text(cost(*_last(losses), frequencies_loss())),
        Fold("How they were trained", (Text(SETTING),)),
    )


def _last(losses: Losses) -> tuple[float, float]:
    return losses[PRE][-1], losses[PRE_BARE][-1]


def cost(with_: float, without: float, by_frequency: float) -> str:
    """Return what a training without residual connections costs, beside what word frequencies are worth."""
    ends = (
        f"After {STEPS} steps, {N_BLOCKS} blocks with residual connections end at {with_:.2f} nats, blocks "
        f"without them at {without:.2f}."
    )
    knows = f"{by_frequency:.2f} nats, the loss of a model that knows only how frequent each word is"
    if abs(without - by_frequency) <= ALIKE:
        return f"{ends} That is about {knows}."
    return f"{ends} Compare {knows}."


passed_on = partial(static_question, "passed_on")


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
