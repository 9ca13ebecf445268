"""Short trainings that were measured once: what residual connections and a warm-up are for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import pandas as pd

from core.learning.tasks import NEXT_WORD, chance
from core.measures.blocks.short_training import D_MODEL
from core.measures.blocks.trainings import (
    AVERAGED,
    BATCH,
    N_BLOCKS,
    POST,
    POST_WARM,
    PRE,
    PRE_BARE,
    PRE_WARM,
    RATE,
    SETTINGS,
    STEPS,
    WARM_UP,
    measured,
)
from core.programs.trainings import trainings_program
from pages.blocks.norms import colours
from pages.blocks.questions import needs_warm_up, without_residual
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Formula, Notice, Sheet, Shown, Text
from pages.shell import Program, Scene, View
from pages.shell.five import five
from viz.curves import chart
from viz.units import magnitude

MISSING = (
    "The file `checkpoints/trainings.json` is missing, or not the one that comes with the app: restore it, "
    "or `python -m core.measures.blocks.trainings` trains the models again."
)
HEIGHT = 340
RESIDUAL_NAMES = {PRE: "with", PRE_BARE: "without"}
"""Names of the curves where only one thing differs."""

RESIDUAL = Formula(
    r"h = x + f(x)", "CS 224N note, eq 29, with the layer norm as a part of f; without it h = f(x)"
)
WHY = (
    "The gradient of x + f(x) with respect to x is I + ∂f/∂x: the identity carries the gradient past every "
    "block to the first one. Without it, the gradient is a product of as many Jacobians as there are parts."
)


@dataclass(frozen=True)
class Found:
    """Mean losses of some of the trainings by the names of their curves; None where the file is missing."""

    losses: Mapping[str, Sequence[float]] | None
    names: tuple[str, ...]


def _found(names: tuple[str, ...]) -> Found:
    try:
        kept = measured()
    except OSError:
        return Found(None, names)
    return Found({name: kept[name] for name in names}, names)


def find_residual(scene: Scene, choices: None) -> Found:
    """Pre-norm with residual connections and without."""
    return _found((PRE, PRE_BARE))


def find_warm_up(scene: Scene, choices: None) -> Found:
    """Pre-norm and post-norm, each with warm-up and without."""
    return _found((PRE, PRE_WARM, POST, POST_WARM))


def residual_sheet(found: Found, look: Look) -> Sheet:
    """Two curves of loss, and why the identity helps."""
    if found.losses is None:
        return Sheet(notes=(Notice(MISSING, "warning"),))
    own = colours(look.theme)
    shown = {PRE: own["pre"], PRE_BARE: own["none"]}
    return Sheet(
        answer=residual_answer(found.losses),
        parts=(
            _picture(found.losses, shown, look, "residual_curves", "residual connections", RESIDUAL_NAMES),
            RESIDUAL,
            Text(WHY),
            Text(SETTING),
        ),
    )


def warm_up_sheet(found: Found, look: Look) -> Sheet:
    """Four curves of loss, and the explanation from the literature."""
    if found.losses is None:
        return Sheet(notes=(Notice(MISSING, "warning"),))
    own = colours(look.theme)
    shown = {name: own[SETTINGS[name].norm] for name in found.names}
    return Sheet(
        answer=warm_up_answer(found.losses),
        parts=(
            _picture(found.losses, shown, look, "warm_up_curves", "warm-up"),
            Text(f"{SETTING} {WARMED}"),
        ),
    )


SETTING = (
    f"Each model has {N_BLOCKS} blocks of width {D_MODEL} and learns next-token prediction in a small "
    f"artificial English from the same {STEPS} batches of {BATCH} sentences, at a learning rate of {RATE:g} "
    "that falls as a cosine. The models were trained once; the numbers come with the app, and the code below "
    f"trains them again. A point is the mean loss of {AVERAGED} steps."
)
WARMED = (
    f"With warm-up, the learning rate rises from 0 over the first {WARM_UP} steps. Steps are those of AdamW, "
    f"and gradients are clipped to a norm of {SETTINGS[POST].recipe.clip:g}. Xiong et al. (2020) explain why "
    "post-norm needs it by [the gradients of its last blocks](/blocks?view=depth) before training. These "
    "trainings do not test that explanation."
)


def residual_answer(losses: Mapping[str, Sequence[float]]) -> str:
    """The last losses with and without, beside that of word frequencies."""
    with_, without = losses[PRE][-1], losses[PRE_BARE][-1]
    return (
        f"After {STEPS} steps, {N_BLOCKS} blocks with residual connections have a loss of {with_:.2f} nats, "
        f"without them {without:.2f}. Knowing only how frequent each word is gives "
        f"{chance(NEXT_WORD).loss:.2f}."
    )


def warm_up_answer(losses: Mapping[str, Sequence[float]]) -> str:
    """What warm-up changes of the last loss, for either norm."""
    parts = []
    for norm, plain, warm in (("post", POST, POST_WARM), ("pre", PRE, PRE_WARM)):
        parts.append(f"from {losses[plain][-1]:.2f} to {losses[warm][-1]:.2f} nats with {norm}-norm")
    return f"Warm-up changes the last loss {' and '.join(parts)}."


def _picture(
    losses: Mapping[str, Sequence[float]],
    shown: Mapping[str, str],
    look: Look,
    key: str,
    compared: str,
    called: Mapping[str, str] = MappingProxyType({}),
) -> Shown:
    rows = [
        {"model": called.get(name, name), "steps": AVERAGED * (at + 1), "loss": loss}
        for name in shown
        for at, loss in enumerate(losses[name])
    ]
    table = pd.DataFrame(rows)
    picture = chart(
        table,
        title=f"Loss with {compared} and without against training steps",
        x="steps",
        y="loss",
        by="model",
        say=magnitude,
        theme=look.theme,
        within=look.width,
        colours={called.get(name, name): colour for name, colour in shown.items()},
        dashed=[name for name in shown if SETTINGS[name].warm_up > 1],
        x_title="training steps",
        y_title="loss, nats per word",
        x_ticks={at: str(at) for at in range(0, STEPS + 1, 50)},
        y_ticks={at: str(at) for at in range(2, 8)},
        level=(chance(NEXT_WORD).loss, "word frequencies alone"),
        height=HEIGHT,
        width=look.room(),
    )
    return Shown(key, picture)


def residual_questions(found: Found) -> tuple[Question | None, ...]:
    """Where the loss ends without residual connections."""
    if found.losses is None:
        return ()
    with_, without = found.losses[PRE][-1], found.losses[PRE_BARE][-1]
    return (without_residual(with_, without, chance(NEXT_WORD).loss),)


def warm_up_questions(found: Found) -> tuple[Question | None, ...]:
    """Which norm needs the warm-up."""
    if found.losses is None:
        return ()
    last = {name: of_name[-1] for name, of_name in found.losses.items()}
    gains = {"pre-norm": last[PRE] - last[PRE_WARM], "post-norm": last[POST] - last[POST_WARM]}
    return (needs_warm_up(gains),)


def program(found: Found) -> Program:
    """The trainings again."""
    return Program(
        lambda: trainings_program([SETTINGS[name] for name in found.names]), prints="the loss of every step"
    )


RESIDUAL_VIEW = View(
    sheet=five(find=find_residual, sheet=residual_sheet, questions=residual_questions, program=program),
    question="What are residual connections for?",
)
WARM_UP_VIEW = View(
    sheet=five(find=find_warm_up, sheet=warm_up_sheet, questions=warm_up_questions, program=program),
    question="What does a warm-up of the learning rate change?",
)
