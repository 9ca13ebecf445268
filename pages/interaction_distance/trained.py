"""How accurate trained networks are, against how far back the word is that decides the answer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import pandas as pd

from core.learning.checkpoints import Record
from core.learning.evaluation.phenomena import QUESTIONS
from core.measures.distance import long_range
from core.sources.trained import records_of_members
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Fold, Sheet, Shown, Text
from pages.interaction_distance import trained_questions as expected
from pages.interaction_distance.switches import OF_THE_MODEL
from pages.interaction_distance.trained_said import at_the_longest, comparisons
from pages.shell import Scene, View
from pages.shell.five import five
from viz.curves import chart
from viz.theme import Theme
from viz.units import per_cent

BASELINE = "baseline"
SHARES = {share / 4: per_cent(share / 4) for share in range(5)}


def colours(look: Theme) -> dict[str, str]:
    """The three networks with their colours, in the order in which they are named."""
    return {long_range.TRANSFORMER: look.attention, "LSTM": look.value, "RNN": look.recurrence}


@dataclass(frozen=True)
class Task:
    """A task with an example, what its distances are called, what a baseline does, and how it is measured.

    `asked` is the example as a question tells it.
    """

    name: str
    x_title: str
    example: str
    asked: str
    baseline: str
    how: str = ""


RECALL = Task(
    "recall",
    "words back to the digit",
    "After `g 4 b 7 m 1 b` the next word is **7**, the digit that followed this letter. The longer the "
    "distance, the more pairs must be kept apart.",
    "After *g 4 b 7 m 1 b* the next word is *7*, the digit that followed this letter.",
    "always the digit that occurs most often in the text",
)
AGREEMENT = Task(
    "agreement",
    "words from the subject to its verb",
    "After `the chef who went to the stores` *is* is right and *are* is wrong: the verb agrees with its "
    "subject.",
    "After *the chef who went to the stores* *is* is right and *are* is wrong.",
    "always the majority class",
    f"All three networks are causal and have {long_range.N_LAYERS} layers; the switches choose the "
    f"Transformer. Each point is {QUESTIONS} sentences that training never had.",
)


@dataclass(frozen=True)
class Found:
    """Accuracies by distance, those of the baseline, and what the networks have learned from.

    The table has the columns network, group, words and accuracy.
    """

    task: Task
    table: pd.DataFrame
    baselines: Sequence[float]
    records: Mapping[str, Record]


def _finding(task: Task) -> Callable[[Scene, None], Found]:
    """What reads the records of a task; it raises UnavailableError where a network is not there."""

    def find(scene: Scene, choices: None) -> Found:
        records = records_of_members(long_range.rivals(task.name, scene.switches.config))
        table = long_range.accuracy_table(task.name, records)
        return Found(task, table, long_range.baselines(task.name), records)

    return find


def sheet(found: Found, look: Look) -> Sheet:
    """A curve for each network and one for the baseline, then who is better where."""
    task = found.task
    how = " ".join(filter(None, (task.how, f"The baseline: {task.baseline}.", recipes(found.records))))
    return Sheet(
        answer=at_the_longest(found.table, found.baselines),
        parts=(
            _picture(found, look),
            Text(f"{task.example} {comparisons(found.table, found.baselines)}"),
            Fold("How this was measured", (Text(how),)),
        ),
    )


def _picture(found: Found, look: Look) -> Shown:
    table, task = found.table, found.task
    groups = dict(zip(table["group"], table["words"], strict=True))
    drawn = _with_baseline(table, found.baselines)
    picture = chart(
        drawn.drop(columns="words").rename(columns={"group": "words"}),
        title=f"Accuracy on {task.name} against distance",
        x="words",
        y="accuracy",
        by="network",
        say=per_cent,
        theme=look.theme,
        within=look.width,
        told_at=groups,
        behind=lambda: _by_words(drawn),
        colours={**colours(look.theme), BASELINE: look.theme.muted},
        x_ticks=groups,
        x_title=task.x_title,
        y_title="accuracy",
        y_ticks=SHARES,
    )
    return Shown(f"{task.name}_chart", picture)


def questions(found: Found) -> tuple[Question | None, ...]:
    """Which network is right least often at the longest distance."""
    furthest = found.table[found.table["group"] == found.table["group"].max()]
    accuracies = dict(zip(furthest["network"], map(float, furthest["accuracy"]), strict=True))
    task = found.task
    return (expected.least_accurate(task.asked, accuracies, str(furthest["words"].iloc[0])),)


def _with_baseline(table: pd.DataFrame, baselines: Sequence[float]) -> pd.DataFrame:
    """The table with one more curve: what can be had at each distance without reading."""
    groups = table.drop_duplicates("group")[["group", "words"]].sort_values("group")
    return pd.concat([table, groups.assign(network=BASELINE, accuracy=list(baselines))], ignore_index=True)


def _by_words(table: pd.DataFrame) -> pd.DataFrame:
    """The table as people read it: a row for each network, a column for each group of distances."""
    wide = table.pivot(index="network", columns="words", values="accuracy")
    return wide.loc[list(dict.fromkeys(table["network"])), list(dict.fromkeys(table["words"]))]


def recipes(records: Mapping[str, Record]) -> str:
    """What all have learned from, where it is the same for all."""
    amounts = {(record.recipe.steps, record.recipe.batch_size) for record in records.values()}
    if len(amounts) > 1:
        return ""
    steps, size = amounts.pop()
    return f"Each network was trained on {steps:,} batches of {size}."


_of = partial(five, sheet=sheet, questions=questions)

RECALLED = View(sheet=_of(find=_finding(RECALL)))
AGREED = View(sheet=_of(find=_finding(AGREEMENT)), switches=OF_THE_MODEL)
