"""Forgetting: accuracy by how much is read after the word that decides."""

from math import ceil

import pandas as pd
import streamlit as st

from core.learning.collection import MEMBERS
from core.learning.collection.classifiers import name_of_classifier
from core.measures.classification.forgetting import REVIEWS, majority, table_by_place
from core.measures.classification.verdicts import CLASSIFIERS
from core.programs.classification import forgetting_program
from pages.classification.classifier import absent_classifiers, colour_of
from pages.classification.how_measured import how_far
from pages.controls.chart import chart
from pages.controls.memory import remembered
from pages.controls.picture import theme
from pages.controls.weights import note_absent
from pages.shell import Program, Scene
from viz.curves import describe_curves
from viz.units import per_cent

HEIGHT = 400
TICK = 20
"""Words from one tick to the next: the places measured are means, which make no round numbers."""

WHAT = "Accuracy"
MAJORITY = "majority class"
ERRORS = 2
"""So many standard errors below the first place an accuracy has fallen, and above a baseline it is none."""


def forgetting(scene: Scene) -> Program:
    """A curve for each classifier, over the words that follow the one that decides."""
    missing = absent_classifiers()
    table, baseline = _table(missing), majority()
    note_absent(scene.notes, missing)
    drawn = table.assign(words=table["words"].round(1))
    chart(
        drawn,
        key="forgetting",
        what=WHAT,
        alt=_described(table),
        behind=lambda: table,
        x="words",
        y="share",
        by="model",
        say=per_cent,
        colours={title: colour_of(title, theme()) for title in dict.fromkeys(table["model"])},
        x_title="words read after the one that decides (mean)",
        y_title="accuracy",
        x_ticks={tick: f"{tick:.0f}" for tick in range(0, ceil(table["words"].max()), TICK)},
        y_ticks={share / 4: per_cent(share / 4) for share in range(5)},
        spread=("low", "high"),
        level=(baseline, MAJORITY),
        height=HEIGHT,
    )
    st.markdown(said_of(table, baseline))
    st.caption(how_far(_steps(), baseline))
    names = [name_of_classifier(CLASSIFIERS[title]) for title in dict.fromkeys(table["model"])]
    return Program(lambda: forgetting_program(names, n=REVIEWS), "the accuracies of every classifier")


def _described(table: pd.DataFrame) -> str:
    """Every curve in words, its places in whole words."""
    places = {words: f"{words:.0f}" for words in table["words"]}
    return describe_curves(table, x="words", y="share", by="model", what=WHAT, say=per_cent, x_ticks=places)


def _steps() -> int:
    """The number of steps that all classifiers were trained for."""
    return MEMBERS[name_of_classifier(next(iter(CLASSIFIERS.values())))].recipe.steps


@remembered(2, saying="Reading some thousand reviews …")
def _table(missing: str) -> pd.DataFrame:
    return table_by_place()


def said_of(table: pd.DataFrame, baseline: float) -> str:
    """Which models fall with the words that follow, and to what; the rest stays, or rises.

    `baseline` is the share of right labels without reading.
    """
    fallen, kept = [], []
    for model, first, last in _ends(table):
        if _is_clear(first, last):
            no_better = last["share"] <= baseline + ERRORS * (last["high"] - last["share"])
            chance = ", no better than the majority-class baseline" if no_better else ""
            fallen.append(
                f"**{model}** falls from {per_cent(first['share'])} to {per_cent(last['share'])}{chance}"
            )
        else:
            kept.append(model)
    words = f"with {table['words'].max():.0f} words after the one that decides"
    if not fallen:
        return f"No classifier is clearly worse {words} than where it comes last.{_late(table)}"
    rest = f" No clear loss: {', '.join(kept)}." if kept else ""
    return (
        f"{words.capitalize()}: {'; '.join(fallen)}.{rest} A last state has to carry the verdict over every "
        "word that follows; a mean or a maximum reaches the state after the word itself, and so does "
        f"attention.{_late(table)}"
    )


def _late(table: pd.DataFrame) -> str:
    """Which averages of recurrent states are clearly worse where what decides comes last, if any."""
    late = [
        f"**{model}** has only {per_cent(first['share'])}"
        for model, first, last in _ends(table)
        if model.endswith(" mean") and _is_clear(last, first)
    ]
    if not late:
        return ""
    return (
        f" Where what decides comes last, {' and '.join(late)}: the states before it know nothing of it, and "
        "they are most of those that are averaged."
    )


def _ends(table: pd.DataFrame) -> list[tuple[str, pd.Series, pd.Series]]:
    """Every model with its first place, where nothing follows, and its last."""
    ordered = table.sort_values("after").groupby("model", sort=False)
    return [(str(model), rows.iloc[0], rows.iloc[-1]) for model, rows in ordered]


def _is_clear(larger: pd.Series, smaller: pd.Series) -> bool:
    """Whether the first share is larger than the second by more than their errors explain."""
    errors = [place["high"] - place["share"] for place in (larger, smaller)]
    return bool(larger["share"] - smaller["share"] > ERRORS * (errors[0] ** 2 + errors[1] ** 2) ** 0.5)
