"""Flips: a negation, an intensifier and a contrast put into the review or taken out, for every model."""

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.classification.flips import Flip, flips
from core.analysis.classification.verdicts import EVEN, available
from core.programs.classification import verdicts_program
from core.text.language.review_parts import held_out_kinds
from pages.classification_views.one_review import verdict
from pages.classification_views.said import LABELS, said
from pages.controls.picture import picture, theme
from pages.controls.prose import literal
from pages.controls.screen import columns, room
from pages.shell import Program, Scene
from viz.flips import describe_flip_grid, flip_grid

TITLE = "Probability of praise"
WIDTH = 640


def flipping(scene: Scene) -> Program | None:
    """A row for each change of the review, a column for each classifier."""
    here = said(scene)
    made, models = flips(here.plain), available()
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
        st.markdown(_told(made, values, titles, len(wrong)))
    return Program(
        lambda: verdicts_program([one.words for one in made]), "these probabilities, a column for each text"
    )


def _text(one: Flip) -> str:
    """The words of a text, and its label by the rules."""
    words, kinds = " ".join(map(literal, one.words)), held_out_kinds(one.words)
    unseen = " (a kind that training did not have)" if kinds else ""
    return (f"{words} → {LABELS[one.label]}" if one.label else words) + unseen


def _listed(made: tuple[Flip, ...], values: np.ndarray, titles: list[str]) -> pd.DataFrame:
    """A row for each text with its label by the rules and the probability by every classifier."""
    table = pd.DataFrame(values, columns=titles)
    table.insert(0, "by the rules", [LABELS[one.label] if one.label else "" for one in made])
    table.insert(0, "review", [" ".join(one.words) for one in made])
    return table.set_index(pd.Index([one.what for one in made], name="change"))


def _told(made: tuple[Flip, ...], values: np.ndarray, titles: list[str], n_wrong: int) -> str:
    """Which changes ought to turn the label round, and how many verdicts follow."""
    first, *others = made
    turning = [row for row, one in enumerate(made) if row and one.label != first.label]
    followed = sum(int(((values[row] >= EVEN) == (made[row].label == "positive")).sum()) for row in turning)
    asked = len(turning) * len(titles)
    weakest = int(np.abs(values[1:] - values[0]).mean(axis=1).argmin()) if others else 0
    quiet = f" What moves the probabilities least: *{others[weakest].what}*." if others else ""
    return (
        f"{len(turning)} of {len(others)} changes turn the label round by the rules, and {followed} of the "
        f"{asked} verdicts on these texts go along. Of all {values.size} verdicts {n_wrong} are not those of "
        f"the rules: they are outlined.{quiet}"
    )
