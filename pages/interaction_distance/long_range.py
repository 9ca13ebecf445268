"""The accuracy of trained networks, by the distance of the word that decides the answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from core.learning.checkpoints import Record
from core.learning.evaluation.phenomena import QUESTIONS
from core.measures.distance.long_range import (
    EVEN_WITHIN,
    N_LAYERS,
    TRANSFORMER,
    Standing,
    accuracy_table,
    baselines,
    rivals,
    standings,
)
from core.sources.trained import records_of_members
from pages.contract.ask import Ask
from pages.contract.model_descriptions import members
from pages.contract.question import Choose
from pages.contract.question_builders import choose_largest
from pages.contract.scene import Scene
from pages.contract.sheet import Caption, Fold, PicturePart, Sheet, Text
from pages.contract.view import view
from viz.curves import Curves
from viz.groups import where
from viz.theme import Role
from words import enumerated, per_cent

TASK, AGREEMENT, RECALL = "far", "agreement", "recall"
"""Parameter of the task, and the two tasks."""

BASELINE = "baseline"
ROLES: Mapping[str, Role] = {TRANSFORMER: "attention", "LSTM": "value", "RNN": "recurrence"}
"""The roles of the colours of the three networks, in the order in which they are named."""

WHY_LEAST: Mapping[str, str] = {
    "RNN": "Both pass a state from step to step. An RNN computes all of it anew at every step. An LSTM also "
    "has a cell, and its gates decide how much of the cell changes.",
    "LSTM": "An LSTM carries its state from step to step, and this state has a fixed size.",
}
"""Reasons for the least accurate recurrent network, by its name."""

APART = f"{100 * EVEN_WITHIN:g} points"


@dataclass(frozen=True)
class Task:
    """A task: its distances in words, its reply, the unit of its accuracy, an example, and its test."""

    x_title: str
    apart: str
    reply: str
    unit: str
    example: str
    baseline: str
    how: str


TASKS = {
    AGREEMENT: Task(
        "words from the subject to its verb",
        "after the subject",
        "verb",
        "sentences",
        "After *the chef who went to the stores*, the verb *is* is right and *are* is wrong.",
        "always the majority class",
        f"All three networks are causal and have {N_LAYERS} layers; the switches choose the Transformer. "
        f"Each point is {QUESTIONS} sentences that training never had.",
    ),
    RECALL: Task(
        "words back to the digit",
        "after the digit",
        "digit",
        "cases",
        "After *g 4 b 7 m 1 b* the next word is *7*, the digit that followed this letter.",
        "always the digit that occurs most often in the text",
        "The longer the distance, the more pairs have to be kept apart.",
    ),
}


@view(
    question="What do trained networks still know of a word far back?",
    switches=frozenset({"positions", "heads", "norm"}),
)
def long_range(ask: Ask, scene: Scene) -> Sheet:
    """Show the accuracy on a task by distance: a curve for each network and one for the baseline."""
    name = ask.choice(TASK, hide_label=True)
    task, levels = TASKS[name], baselines(name)
    records = records_of_members(rivals(name, scene.switches.config))
    found = accuracy_table(name, records)
    how = " ".join(filter(None, (task.how, f"The baseline: {task.baseline}.", recipes(records))))
    return Sheet(
        headline=(guesses(found, levels) if ask.look.fills else "") or at_the_longest(task, found, levels),
        caption=Caption(models=lambda: members(rivals(name, scene.switches.config).values())),
        parts=(
            Text(task.example),
            _picture(name, found, levels),
            Text(comparisons(found, levels)),
            Fold("How this was measured", (Text(how),)),
        ),
        questions=lambda: (least_accurate(task, found),),
    )


def _picture(name: str, found: pd.DataFrame, levels: Sequence[float]) -> PicturePart:
    groups = found.drop_duplicates("group")[["group", "words"]].sort_values("group")
    drawn = pd.concat([found, groups.assign(network=BASELINE, accuracy=list(levels))], ignore_index=True)
    picture = Curves(
        rows=drawn.drop(columns="words").rename(columns={"group": "words"}),
        title=f"Accuracy on {name} against distance",
        x="words",
        y="accuracy",
        by="network",
        say=per_cent,
        make_table=lambda: _by_words(drawn),
        colours={**ROLES, BASELINE: "muted"},
        places=dict(zip(groups["group"], groups["words"], strict=True)),
        x_title=TASKS[name].x_title,
        y_title="accuracy",
        reach=(0, 1),
        points=first_guesses(found, levels),
    )
    return PicturePart(f"{name}_chart", picture)


def first_guesses(found: pd.DataFrame, levels: Sequence[float]) -> list[tuple[float, float, str]]:
    """Return the first point of each network that is no better than the baseline, with its accuracy."""
    stands = standings(found, levels)
    firsts = [(one.guesses[0], one.accuracies[one.guesses[0]]) for one in stands.values() if one.guesses]
    return [(float(group), share, per_cent(share)) for group, share in firsts]


def _by_words(drawn: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each network, and a column for each group of distances."""
    wide = drawn.pivot(index="network", columns="words", values="accuracy")
    return wide.loc[list(dict.fromkeys(drawn["network"])), list(dict.fromkeys(drawn["words"]))]


def at_the_longest(task: Task, found: pd.DataFrame, levels: Sequence[float]) -> str:
    """Return the accuracies at the longest distance, and the baseline's."""
    furthest = found[found["group"] == found["group"].max()]
    words = furthest["words"].iloc[0]
    first, *others = zip(furthest["network"], map(per_cent, furthest["accuracy"]), strict=True)
    told = enumerated(
        [f"the {name} in {share}" for name, share in (*others, (BASELINE, per_cent(levels[-1])))]
    )
    most = f"the {first[0]} chooses the right {task.reply} in {first[1]} of {task.unit}"
    return f"{words} words {task.apart}, {most}, {told}."


def comparisons(found: pd.DataFrame, levels: Sequence[float]) -> str:
    """Compare each network with the Transformer, and name those that only guess."""
    words, stands = list(dict.fromkeys(found["words"])), standings(found, levels)
    beside = [describe_comparison(name, one, words) for name, one in stands.items() if name != TRANSFORMER]
    return " ".join(filter(None, [*beside, guesses(found, levels)]))


def guesses(found: pd.DataFrame, levels: Sequence[float]) -> str:
    """Name the networks that are no better than the baseline, which have a mark; nothing without any."""
    words = list(dict.fromkeys(found["words"]))
    told = (_guesses(name, one, words) for name, one in standings(found, levels).items())
    return " ".join(filter(None, told))


def describe_comparison(name: str, one: Standing, words: Sequence[str]) -> str:
    """Return where one network is more accurate than the Transformer, and where less."""
    everywhere = "at every distance"
    sides = [(how, groups) for how, groups in (("more", one.ahead), ("less", one.behind)) if groups]
    if not sides:
        return f"The accuracy of the {name} is within {APART} of the {TRANSFORMER}'s {everywhere}."
    thans = [f" than the {TRANSFORMER}", ""]
    parts = [
        f"{how} accurate{than} {where(groups, words, all_of_them=everywhere)}"
        for (how, groups), than in zip(sides, thans, strict=False)
    ]
    is_everywhere = len(one.ahead) + len(one.behind) == len(words)
    rest = "" if is_everywhere else f"; elsewhere the two are within {APART}"
    return f"The {name} is {', and '.join(parts)}{rest}."


def _guesses(name: str, one: Standing, words: Sequence[str]) -> str:
    """Return where a network is no better than the baseline, if anywhere."""
    if not one.guesses:
        return ""
    at = where(one.guesses, words, all_of_them="at any distance")
    return f"The {name} is not clearly better than the baseline {at}."


def recipes(records: Mapping[str, Record]) -> str:
    """Return the training of all networks; empty if their amounts of data differ."""
    amounts = {(record.recipe.steps, record.recipe.batch_size) for record in records.values()}
    if len(amounts) > 1:
        return ""
    steps, size = amounts.pop()
    return f"Each network was trained on {steps:,} batches of {size}."


def least_accurate(task: Task, found: pd.DataFrame) -> Choose | None:
    """Ask which network is right least often at the longest distance.

    None without a clear last one, and if the last one is the Transformer: no path explains that.
    """
    furthest = found[found["group"] == found["group"].max()]
    shares = dict(zip(furthest["network"], map(float, furthest["accuracy"]), strict=True))
    lowest = min(shares, key=lambda name: shares[name])
    if lowest == TRANSFORMER:
        return None
    told = ", ".join(f"{per_cent(share)} for the {name}" for name, share in shares.items())
    return choose_largest(
        f"{task.example} Which network is right least often over {furthest['words'].iloc[0]} words?",
        shares,
        because=f"{WHY_LEAST[lowest]} Right: {told}.",
        smallest=True,
        of_questions=QUESTIONS,
    )
