"""Length extrapolation: what the trained models do with sentences longer than any they have seen."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import cycle
from typing import Any

import pandas as pd

from core.learning.collection import take
from core.measures.positions import extrapolation as measure
from core.model.config import POSITIONS, ModelConfig
from core.programs.extrapolation import losses_program, verbs_program
from core.sources import UnavailableError
from core.text.language import DISTANCES
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Fold, Sheet, Shown, Text
from pages.controls.memory import remembered
from pages.controls.weights import absent_of, missing_notes
from pages.positions import extrapolation_said as said
from pages.positions.learned import table_of
from pages.positions.questions import agrees_furthest, grows_most
from pages.shell import Program, Scene, View
from pages.shell.five import five
from viz.curves import chart
from viz.theme import Theme
from viz.units import per_cent

AT, APART = "words in", "words apart"
ENDS = "training ends here"


@dataclass(frozen=True)
class Found:
    """What was measured of every scheme whose model is there; `missing` says which are not.

    The rows of `table` have the loss of a scheme at a position, or its accuracy at a distance, as `measured`
    says. Training sentences had up to `reach` words.
    """

    config: ModelConfig
    measured: str
    table: pd.DataFrame
    reach: int
    missing: str


def ask(ask: Ask, scene: Scene) -> str:
    """What is measured."""
    measured: str = ask.choice("measured", hide_label=True)
    return measured


def find(scene: Scene, measured: str) -> Found:
    """The table of all schemes. Raises UnavailableError where none of the models is there."""
    config = scene.switches.config
    reach = table_of(config).longest_sentence
    missing = absent_of("trained", measure.measured_of(config))
    table = (_losses if measured == said.LOSS else _accuracies)(config, missing)
    if table.empty:
        raise UnavailableError(
            "None of these models has been trained yet: `python -m core.learning.collection`."
        )
    named = table.rename(columns={"position": AT, "distance": APART})
    return Found(config, measured, named, reach, missing)


@remembered(saying="Measuring a model of each scheme on long sentences …")
def _losses(config: ModelConfig, missing: str) -> pd.DataFrame:
    return measure.losses(config, take)


@remembered(saying="Measuring a model of each scheme on verbs far from their subjects …")
def _accuracies(config: ModelConfig, missing: str) -> pd.DataFrame:
    return measure.verbs(config, take)


def sheet(found: Found, look: Look) -> Sheet:
    """The loss from the first word to the last, or how far from its subject a verb still agrees with it."""
    notes = missing_notes(found.missing)
    if found.measured == said.LOSS:
        changes = measure.before_and_after(found.table, AT, found.reach)
        how = Fold("How this was measured", (Text(said.how_losses(found.config, found.reach)),))
        return Sheet(
            said.answer_of_losses(changes),
            (_losses_shown(found, look), Text(said.growth(changes)), how),
            notes,
        )
    accuracies, furthest = _furthest(found.table)
    how = Fold("How this was measured", (Text(said.how_verbs()),))
    told = Text(said.listed(accuracies, furthest))
    return Sheet(said.answer_of_verbs(accuracies, furthest), (_verbs_shown(found, look), told, how), notes)


def _furthest(table: pd.DataFrame) -> tuple[dict[str, float], int]:
    """The accuracy of each scheme at the longest distance, and how far that is."""
    furthest = int(table[APART].max())
    reached = table[table[APART] == furthest]
    return dict(zip(reached["positions"], reached["accuracy"], strict=True)), furthest


def _losses_shown(found: Found, look: Look) -> Shown:
    return _chart(
        found.table,
        "loss",
        look,
        x=AT,
        against="Loss against position in the sentence,",
        x_title=f"position in the sentence, means of {measure.STEP}",
        y_title="loss, nats per word",
        y_ticks={float(at): str(at) for at in range(int(found.table["loss"].max()) + 2)},
        ticks=range(0, measure.LENGTH + 1, 48),
        mark=found.reach,
        say=_nats,
    )


def _verbs_shown(found: Found, look: Look) -> Shown:
    return _chart(
        found.table,
        "accuracy",
        look,
        x=APART,
        against="Accuracy on agreement against distance,",
        x_title="words from the subject to its verb",
        y_title="accuracy",
        y_ticks={share / 4: per_cent(share / 4) for share in range(5)},
        ticks=range(0, max(measure.DISTANCES) + 1, 48),
        mark=max(DISTANCES),
        say=per_cent,
        level=(measure.GUESSING, f"chance {per_cent(measure.GUESSING)}"),
    )


def _chart(
    table: pd.DataFrame,
    y: str,
    look: Look,
    *,
    against: str,
    y_title: str,
    ticks: Iterable[int],
    **axes: Any,
) -> Shown:
    picture = chart(
        table,
        title=f"{against} by position scheme",
        y=y,
        by="positions",
        theme=look.theme,
        within=look.width,
        colours=_colours(look.theme),
        y_title=y_title,
        x_ticks={float(at): str(at) for at in ticks},
        mark_name=ENDS,
        height=430,
        **axes,
    )
    return Shown(f"extrapolation_{y}", picture)


def _colours(theme: Theme) -> dict[str, str]:
    colours = (theme.muted, theme.key, theme.value, theme.query, theme.output, theme.ink)
    return dict(zip(POSITIONS, cycle(colours), strict=False))


def _nats(loss: float) -> str:
    return f"{loss:.2f} nats"


def questions(found: Found) -> tuple[Question | None, ...]:
    """Under which scheme a model does worst beyond the length of training."""
    if found.measured != said.LOSS:
        return (agrees_furthest(*_furthest(found.table), measure.N_QUESTIONS),)
    changes = measure.before_and_after(found.table, AT, found.reach)
    return (grows_most({name: (first, last) for name, first, last in changes}),)


def program(found: Found) -> Program:
    """A program for the measurement."""
    write = losses_program if found.measured == said.LOSS else verbs_program
    return Program(lambda: write(found.config))


VIEW = View(
    sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program),
    switches=frozenset({"heads", "norm"}),
)
