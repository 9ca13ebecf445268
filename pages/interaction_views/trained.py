"""What trained networks get right, against how far back they have to look for it."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from core.analysis.distance import long_range
from core.config import ModelConfig
from core.learning.checkpoints import Record
from pages.controls.chart import chart
from pages.controls.picture import theme
from pages.shell import Scene
from viz.curves import describe_curves
from viz.theme import Theme
from viz.units import per_cent

SHARES = {share / 4: per_cent(share / 4) for share in range(5)}


def recall(scene: Scene) -> None:
    """A task with nothing but distance in it: pairs of a letter and a digit, then the letters again."""
    _accuracies(
        "recall",
        scene.switches.config,
        "words back to the digit",
        "After `g 4 b 7 m 1 b` comes **7**: the digit that stood behind this letter. The further back it "
        "is, the more pairs there are to keep apart.",
    )


def agreement(scene: Scene) -> None:
    """The verb of a long sentence: in the number of its subject, so many words before."""
    _accuracies(
        "agreement",
        scene.switches.config,
        "words from the subject to its verb",
        "After `the chef who went to the stores` comes **is** and not *are*. The Transformer is the causal "
        f"one of the switches, with {long_range.N_LAYERS} layers, however many are counted above.",
    )


def colours(look: Theme) -> dict[str, str]:
    """The three networks with their colours, in the order in which they are named."""
    return {long_range.TRANSFORMER: look.attention, "LSTM": look.value, "RNN": look.recurrence}


def _accuracies(what: str, config: ModelConfig, x_title: str, question: str) -> None:
    records = long_range.records(what, config)
    table = long_range.accuracy_table(what, records)
    groups = dict(zip(table["group"], table["words"], strict=True))
    shown = table.drop(columns="words").rename(columns={"group": "words"})
    baselines = long_range.baselines(what)
    axes: dict[str, Any] = {"x": "words", "y": "accuracy", "by": "network", "say": per_cent}
    told = f"Right answers on {what}"
    chart(
        shown,
        key=f"{what}_chart",
        what=told,
        **axes,
        alt=describe_curves(shown, **axes, what=told, x_ticks=groups),
        behind=lambda: _by_words(table),
        colours=colours(theme()),
        x_ticks=groups,
        x_title=x_title,
        y_title="right answers",
        y_ticks=SHARES,
        level=(baselines[-1], f"guessing {per_cent(baselines[-1])}"),
    )
    st.markdown(f"{question} {verdict(table, baselines)} {_recipes(records)}")


def verdict(table: pd.DataFrame, baselines: Sequence[float]) -> str:
    """What the accuracies say, whatever they are: who reaches how far."""
    words = list(dict.fromkeys(table["words"]))
    found = long_range.standings(table, baselines)
    ends = ", ".join(f"the {name} in {per_cent(one.accuracy)}" for name, one in found.items())
    told = [_compared(name, one, words) for name, one in found.items() if name != long_range.TRANSFORMER]
    return f"At {words[-1]} words right answers come from {ends} of all cases. {' '.join(told)}"


def _compared(name: str, stands: long_range.Standing, words: list[str]) -> str:
    """How far one network keeps up with the best, and from where on it only guesses."""
    if stands.keeps_up == stands.n_groups:
        return f"The {name} does as well as the {long_range.TRANSFORMER} at every distance."
    if stands.guesses == stands.n_groups:
        return f"The {name} does no better than guessing."
    up_to = "falls behind at every distance"
    if stands.keeps_up:
        up_to = f"keeps up as far as {words[stands.keeps_up - 1]} words"
    if stands.guesses:
        return (
            f"The {name} {up_to}, and from {words[-stands.guesses]} words on it does no better than guessing."
        )
    return f"The {name} {up_to}, and stays above guessing."


def _recipes(records: Mapping[str, Record]) -> str:
    """What all have learned from, where it is the same for all."""
    amounts = {(record.recipe.steps, record.recipe.batch_size) for record in records.values()}
    if len(amounts) > 1:
        return ""
    steps, size = amounts.pop()
    return f"Each has learned from {steps:,} batches of {size}."


def _by_words(table: pd.DataFrame) -> pd.DataFrame:
    """The table as people read it: a row for each network, a column for each group of distances."""
    wide = table.pivot(index="network", columns="words", values="accuracy")
    return wide.loc[list(dict.fromkeys(table["network"])), list(dict.fromkeys(table["words"]))]
