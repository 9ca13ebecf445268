"""How accurate trained networks are, against how far back the word is that decides the answer."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from core.learning.checkpoints import Record
from core.learning.evaluation.phenomena import QUESTIONS
from core.measures.distance import long_range
from core.model.config import ModelConfig
from pages.controls.chart import chart
from pages.controls.picture import theme
from pages.interaction_distance.trained_said import verdict
from pages.shell import Scene
from viz.curves import describe_curves
from viz.theme import Theme
from viz.units import per_cent

BASELINE = "baseline"
SHARES = {share / 4: per_cent(share / 4) for share in range(5)}


def recall(scene: Scene) -> None:
    """A task with nothing but distance in it: pairs of a letter and a digit, then the letters again."""
    _accuracies(
        "recall",
        scene.switches.config,
        "words back to the digit",
        "After `g 4 b 7 m 1 b` the next word is **7**, the digit that followed this letter. The longer the "
        "distance, the more pairs must be kept apart.",
        baseline="always the digit that occurs most often in the text",
    )


def agreement(scene: Scene) -> None:
    """The verb of a long sentence: in the number of its subject, so many words before."""
    _accuracies(
        "agreement",
        scene.switches.config,
        "words from the subject to its verb",
        "After `the chef who went to the stores` the next word is **is**, not *are*: the verb agrees with "
        f"its subject. All three networks are causal and have {long_range.N_LAYERS} layers; the switches "
        f"choose the Transformer. Each point is {QUESTIONS} sentences that training never had.",
        baseline="always the majority class",
    )


def colours(look: Theme) -> dict[str, str]:
    """The three networks with their colours, in the order in which they are named."""
    return {long_range.TRANSFORMER: look.attention, "LSTM": look.value, "RNN": look.recurrence}


def _accuracies(what: str, config: ModelConfig, x_title: str, question: str, *, baseline: str) -> None:
    records = long_range.records(what, config)
    table = long_range.accuracy_table(what, records)
    baselines = long_range.baselines(what)
    groups = dict(zip(table["group"], table["words"], strict=True))
    drawn = _with_baseline(table, baselines)
    shown = drawn.drop(columns="words").rename(columns={"group": "words"})
    axes: dict[str, Any] = {"x": "words", "y": "accuracy", "by": "network", "say": per_cent}
    told = f"Accuracy on {what}"
    chart(
        shown,
        key=f"{what}_chart",
        what=told,
        **axes,
        alt=describe_curves(shown, **axes, what=told, x_ticks=groups),
        behind=lambda: _by_words(drawn),
        colours={**colours(theme()), BASELINE: theme().muted},
        x_ticks=groups,
        x_title=x_title,
        y_title="accuracy",
        y_ticks=SHARES,
    )
    st.markdown(f"{question} {verdict(table, baselines, baseline)} {_recipes(records)}")


def _with_baseline(table: pd.DataFrame, baselines: Sequence[float]) -> pd.DataFrame:
    """The table with one more curve: what can be had at each distance without reading."""
    groups = table.drop_duplicates("group")[["group", "words"]].sort_values("group")
    return pd.concat([table, groups.assign(network=BASELINE, accuracy=list(baselines))], ignore_index=True)


def _recipes(records: Mapping[str, Record]) -> str:
    """What all have learned from, where it is the same for all."""
    amounts = {(record.recipe.steps, record.recipe.batch_size) for record in records.values()}
    if len(amounts) > 1:
        return ""
    steps, size = amounts.pop()
    return f"Each network was trained on {steps:,} batches of {size}."


def _by_words(table: pd.DataFrame) -> pd.DataFrame:
    """The table as people read it: a row for each network, a column for each group of distances."""
    wide = table.pivot(index="network", columns="words", values="accuracy")
    return wide.loc[list(dict.fromkeys(table["network"])), list(dict.fromkeys(table["words"]))]
