"""Short training: three models that differ in where layer norm stands, trained here and now."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isnan

import pandas as pd

from core.learning.tasks import NEXT_WORD, chance
from core.measures.blocks.short_training import (
    D_MODEL,
    LAST,
    RECIPE,
    Loss,
    last_losses,
    short_training,
)
from core.model.config import NORMS, ModelConfig, Norm
from core.programs.norms import norms_program
from core.text.language import vocabulary
from pages.blocks.norms import colours, equations
from pages.blocks.questions import frequencies_alone
from pages.blocks.switches import AT_START
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.measurement import Measurement
from pages.contract.question import Question
from pages.contract.sheet import Columns, Sheet, Shown, Text
from pages.shell import Program, Scene, View
from pages.shell.five import five
from viz.curves import chart
from viz.units import magnitude, magnitude_ticks

COLUMNS = ["layer norm", "step", "loss"]
HEIGHT = 340

TRAIN = "Train three models"
INVITATION = f"Press *{TRAIN}* to see which of them learns fastest: training takes about ten seconds."


@dataclass(frozen=True)
class Choices:
    """The depth of the models, and whether the one without layer norm is drawn too."""

    n_layers: int
    with_none: bool


@dataclass(frozen=True)
class Found:
    """The loss of every step of all three models; of none while nobody has asked for it."""

    config: ModelConfig
    seed: int
    choices: Choices
    losses: Sequence[Loss]
    word_frequencies: float

    @property
    def shown(self) -> list[Loss]:
        """The losses that are drawn and told: those without layer norm only where they are asked for."""
        return [one for one in self.losses if self.choices.with_none or one.norm != "none"]


def ask(ask: Ask, scene: Scene) -> Choices:
    """How deep the models are."""
    ask.name("Blocks")
    return Choices(ask.choice("train_depth", hide_label=True), ask.switch("with_none"))


def find(scene: Scene, choices: Choices) -> Found:
    """What has been trained so far."""
    switches = scene.switches
    return Found(switches.config, switches.seed, choices, scene.measured.parts, chance(NEXT_WORD).loss)


def sheet(found: Found, look: Look) -> Sheet:
    """Loss by step, or how it is asked for, and the two equations that differ in the place of the norm."""
    beside = Columns(tuple((one,) for one in equations(found.config)))
    setting = Text(_setting(found.choices.n_layers))
    if not found.losses:
        return Sheet(answer=INVITATION, parts=(beside, setting))
    return Sheet(answer=_answer(last_losses(found.shown)), parts=(beside, _picture(found, look), setting))


def _picture(found: Found, look: Look) -> Shown:
    table = pd.DataFrame([vars(one).values() for one in found.shown], columns=COLUMNS)
    numbers = table[table["loss"].astype(float).between(0, float("inf"), inclusive="neither")]
    picture = chart(
        numbers,
        title="Loss by placement of layer norm against training steps",
        x="step",
        y="loss",
        by="layer norm",
        say=magnitude,
        theme=look.theme,
        within=look.width,
        colours=colours(look.theme),
        x_title="training steps",
        y_title="loss, nats per word",
        x_ticks={at: str(at) for at in range(0, RECIPE.steps + 1, 10)},
        y_ticks=magnitude_ticks([3.0, 7.0, *numbers["loss"]]),
        log="y",
        level=(found.word_frequencies, "word frequencies alone"),
        height=HEIGHT,
    )
    return Shown("short_training", picture)


def _answer(last: Mapping[Norm, float]) -> str:
    """The mean loss of the last steps, and whose is the lowest."""
    told = ", ".join(
        f"{norm} {'no longer a number' if isnan(loss) else magnitude(loss)}" for norm, loss in last.items()
    )
    learned = {norm: loss for norm, loss in last.items() if not isnan(loss)}
    ahead = f"; {min(learned, key=learned.__getitem__)} has the lowest" if learned else ""
    return f"Over the last {LAST} steps the loss in nats is {told}{ahead}."


def _setting(n_layers: int) -> str:
    """How the models are trained."""
    return (
        f"Three models {n_layers} blocks deep and {D_MODEL} wide, one of them without layer norm, learn "
        f"next-token prediction in a small artificial English, from the same {RECIPE.steps} batches of "
        f"{RECIPE.batch_size}. The learning rate begins at {RECIPE.learning_rate_at(0):g}, without "
        f"warm-up, and falls to {RECIPE.learning_rate_at(RECIPE.steps):g}."
    )


def questions(found: Found) -> tuple[Question | None, ...]:
    """What word frequencies alone are worth."""
    return (frequencies_alone(found.word_frequencies, len(vocabulary())),)


def program(found: Found) -> Program:
    """The same training in a few lines."""
    n_layers, seed = found.choices.n_layers, found.seed
    return Program(
        lambda: norms_program(found.config, n_layers=n_layers, seed=seed), prints="the loss of every step"
    )


def _losses(scene: Scene, choices: Choices) -> Iterator[tuple[str, Loss]]:
    """The losses one by one, as progress tells them."""
    switches = scene.switches
    for one in short_training(switches.config, n_layers=choices.n_layers, seed=switches.seed):
        yield f"Layer norm {one.norm}: step {one.step}", one


def _measurement(scene: Scene, choices: Choices) -> Measurement:
    return Measurement(
        "short_training_losses",
        lambda: _losses(scene, choices),
        about=(scene.switches.config, choices.n_layers, scene.switches.seed),
        n_parts=len(NORMS) * RECIPE.steps,
        label=TRAIN,
        icon=":material/play_arrow:",
        is_shared=True,
    )


VIEW = View(
    sheet=five(
        ask=ask,
        find=find,
        sheet=sheet,
        questions=questions,
        program=program,
        measurement=_measurement,
    ),
    switches=AT_START - {"mask"},
)
