"""Forgetting: accuracy by how much is read after the word that decides."""

from dataclasses import dataclass
from math import ceil

import pandas as pd

from core.learning.collection import MEMBERS
from core.learning.collection.classifiers import name_of_classifier
from core.measures.classification.forgetting import REVIEWS, majority, table_by_place
from core.measures.classification.verdicts import CLASSIFIERS
from core.programs.classification import forgetting_program
from core.sources.classifiers import load_classifier
from pages.classification.classifier import absent_classifiers, available, colour_of, missing
from pages.classification.how_measured import how_far
from pages.classification.questions import Kept, who_forgets
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Fold, Sheet, Shown, Text
from pages.controls.memory import remembered
from pages.shell import Program, Scene, View
from pages.shell.five import five
from viz.curves import chart
from viz.units import per_cent

HEIGHT = 400
TICK = 20
"""Words from one tick to the next: the positions measured are means, which make no round numbers."""

MAJORITY = "majority class"
ERRORS = 2
"""Standard errors by which an accuracy has fallen below its first, or is still at a baseline."""

WHY = (
    "A last state has to carry the verdict over every word that follows; a mean or a maximum reaches the "
    "state after the word itself, and so does attention."
)


@dataclass(frozen=True)
class Found:
    """Accuracies of every classifier by position, and the share of right labels without reading.

    The table has the columns model, after, words, share, low and high. `absent` says which models are not
    there.
    """

    table: pd.DataFrame
    baseline: float
    n_steps: int
    absent: str = ""

    @property
    def models(self) -> list[str]:
        """The titles of the classifiers, in the order of the table."""
        return list(dict.fromkeys(self.table["model"]))


def find(scene: Scene, choices: None) -> Found:
    """All classifiers that are there, measured. Raises UnavailableError where none is."""
    absent = absent_classifiers()
    steps = MEMBERS[name_of_classifier(next(iter(CLASSIFIERS.values())))].recipe.steps
    return Found(_table(absent), majority(), steps, absent)


@remembered(saying="Reading some thousand reviews …")
def _table(absent: str) -> pd.DataFrame:
    return table_by_place(available(), lambda config: load_classifier(config, (".",)).model)


def sheet(found: Found, look: Look) -> Sheet:
    """A curve for each classifier, over the words that follow the one that decides."""
    return Sheet(
        answer=answer(found.table, found.baseline),
        notes=missing(found.absent),
        parts=(
            _picture(found, look),
            *map(Text, filter(None, (told(found.table),))),
            Fold("How this was measured", (Text(how_far(found.n_steps, found.baseline)),)),
        ),
    )


def _picture(found: Found, look: Look) -> Shown:
    table = found.table
    drawn = table.assign(words=table["words"].round(1))
    picture = chart(
        drawn,
        title="Accuracy against words read after the one that decides",
        x="words",
        y="share",
        by="model",
        say=per_cent,
        theme=look.theme,
        within=look.width,
        told_at={at: f"{words:.0f}" for at, words in zip(drawn["words"], table["words"], strict=True)},
        behind=lambda: table,
        colours={title: colour_of(title, look.theme) for title in found.models},
        x_title="words read after the one that decides, mean",
        y_title="accuracy",
        x_ticks={tick: f"{tick:.0f}" for tick in range(0, ceil(table["words"].max()), TICK)},
        y_ticks={share / 4: per_cent(share / 4) for share in range(5)},
        spread=("low", "high"),
        level=(found.baseline, MAJORITY),
        height=HEIGHT,
    )
    return Shown("forgetting", picture)


def answer(table: pd.DataFrame, baseline: float) -> str:
    """A sentence on the models whose accuracy falls; `baseline` is that of who does not read."""
    fallen = []
    for model, first, last in _ends(table):
        if not _is_clear(first, last):
            continue
        no_better = last["share"] <= baseline + ERRORS * (last["high"] - last["share"])
        chance = ", not clearly better than the majority-class baseline" if no_better else ""
        fallen.append(f"{model} falls from {per_cent(first['share'])} to {per_cent(last['share'])}{chance}")
    words = f"with {table['words'].max():.0f} words after the one that decides"
    if not fallen:
        return f"No classifier is clearly worse {words} than where it comes last."
    return f"{words.capitalize()}: {'; '.join(fallen)}."


def told(table: pd.DataFrame) -> str:
    """Who loses nothing and why, and which averages are worse where what decides comes last."""
    ends = _ends(table)
    kept = [model for model, first, last in ends if not _is_clear(first, last)]
    if len(kept) == len(ends):
        return _late(table)
    rest = f"No clear loss: {', '.join(kept)}. " if kept else ""
    return f"{rest}{WHY} {_late(table)}".strip()


def _late(table: pd.DataFrame) -> str:
    """Averages of recurrent states that are clearly worse where what decides comes last, if any."""
    late = [
        f"**{model}** has only {per_cent(first['share'])}"
        for model, first, last in _ends(table)
        if model.endswith(" mean") and _is_clear(last, first)
    ]
    if not late:
        return ""
    return f"Where what decides comes last, {' and '.join(late)}."


def _ends(table: pd.DataFrame) -> list[tuple[str, pd.Series, pd.Series]]:
    """Every model with its first position, where nothing follows, and its last."""
    ordered = table.sort_values("after").groupby("model", sort=False)
    return [(str(model), rows.iloc[0], rows.iloc[-1]) for model, rows in ordered]


def _is_clear(larger: pd.Series, smaller: pd.Series) -> bool:
    """Whether the first share is larger than the second by more than their errors explain."""
    errors = [row["high"] - row["share"] for row in (larger, smaller)]
    return bool(larger["share"] - smaller["share"] > ERRORS * (errors[0] ** 2 + errors[1] ** 2) ** 0.5)


def questions(found: Found) -> tuple[Question | None, ...]:
    """Who forgets."""
    n_words = found.table["words"].max()
    kept = {
        model: Kept(float(first["share"]), float(last["share"]), is_lost=_is_clear(first, last))
        for model, first, last in _ends(found.table)
    }
    return (who_forgets(n_words, kept),)


def program(found: Found) -> Program:
    """The accuracies."""
    names = [name_of_classifier(CLASSIFIERS[title]) for title in found.models]
    return Program(lambda: forgetting_program(names, n=REVIEWS), "the accuracies of every classifier")


VIEW = View(
    sheet=five(find=find, sheet=sheet, questions=questions, program=program),
    question="How long does the last state remember?",
)
