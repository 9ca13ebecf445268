"""Flips: a negation, an intensifier and a contrast put into the review or taken out, for every model."""

import numpy as np
import pandas as pd
import streamlit as st

from core.measures.classification.flips import Flip, flips
from core.measures.classification.kinds import training_had
from core.measures.classification.verdicts import EVEN, available
from core.programs.classification import verdicts_program
from pages.classification.classifier import absent_classifiers
from pages.classification.one_review import verdict
from pages.classification.said import LABELS, said, unseen
from pages.controls.picture import picture, theme
from pages.controls.prose import literal
from pages.controls.screen import columns, room
from pages.controls.weights import note_absent
from pages.shell import Program, Scene
from viz.flips import describe_flip_grid, flip_grid
from viz.text import counted
from viz.units import probability

TITLE = "Probability of praise"
WIDTH = 640


def flipping(scene: Scene) -> Program | None:
    """A row for each change of the review, a column for each classifier."""
    here = said(scene)
    made, models = flips(here.plain), available()
    note_absent(scene.notes, absent_classifiers())
    if not made:
        st.info("There is no word of opinion in this text: type a review, such as one of the examples.")
        return None
    values = np.array([[verdict(config, one.words) for config in models.values()] for one in made])
    names, titles = [one.what for one in made], list(models)
    wrong = [
        (row, column)
        for row, one in enumerate(made)
        for column in range(len(titles))
        if (values[row, column] >= EVEN) != (one.label == "positive")
    ]
    left, right = columns([5, 4])
    with left:
        picture(
            flip_grid(values, names, titles, title=TITLE, wrong=wrong, theme=theme(), size=room(WIDTH)),
            key="flips",
            alt=describe_flip_grid(values, names, titles, title=TITLE, wrong=wrong),
            table=lambda: _listed(made, values, titles),
        )
    with right:
        st.markdown("\n".join(f"- *{one.what}*: {_text(one)}" for one in made))
        st.markdown(said_of_flips(made, values, len(wrong)))
    return Program(
        lambda: verdicts_program([one.words for one in made]), "these probabilities, a column for each text"
    )


def _text(one: Flip) -> str:
    """The words of a text, its label by the rules, and a mark if training had no text of its kind."""
    words = " ".join(map(literal, one.words))
    return (f"{words} → {LABELS[one.label]}" if one.label else words) + unseen(one.words)


def _listed(made: tuple[Flip, ...], values: np.ndarray, titles: list[str]) -> pd.DataFrame:
    """A row for each text with its label by the rules and the probability by every classifier."""
    table = pd.DataFrame(values, columns=titles)
    table.insert(0, "by the rules", [LABELS[one.label] if one.label else "" for one in made])
    table.insert(0, "review", [" ".join(one.words) for one in made])
    table.insert(1, "training had its kind", [training_had(one.words) for one in made])
    return table.set_index(pd.Index([one.what for one in made], name="change"))


def said_of_flips(made: tuple[Flip, ...], values: np.ndarray, n_wrong: int) -> str:
    """Which changes ought to turn the label round, and how many verdicts turn, there and elsewhere."""
    first, *others = made
    turned = (values[1:] >= EVEN) != (values[0] >= EVEN)
    turning = np.array([one.label != first.label for one in others])
    moved = np.abs(values[1:] - values[0]).mean(axis=1)
    least = moved.argmin()
    after = f": {_share_of(turned[turning])} turn with it" if turning.any() else ""
    elsewhere = "" if turning.all() else f" The other changes turn {_share_of(turned[~turning])} round."
    return (
        f"By the rules {turning.sum()} of {counted(len(others), 'change')} turn the label round{after}."
        f"{elsewhere} The change that moves the probabilities least is *{others[least].what}*, by "
        f"{probability(moved[least])} on average: it turns {_share_of(turned[least])} round. Of all "
        f"{values.size} verdicts {n_wrong} are not those of the rules: they are outlined."
    )


def _share_of(turned: np.ndarray) -> str:
    return f"{turned.sum()} of {counted(turned.size, 'verdict')}"
