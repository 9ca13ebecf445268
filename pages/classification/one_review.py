"""One review: the verdicts of all classifiers side by side, and how often each is right."""

import pandas as pd
import streamlit as st

from core.learning.evaluation.classification import KINDS
from core.measures.classification import baselines
from core.measures.classification.verdicts import EVEN, accuracy, available, probability
from core.model.classifier import ClassifierConfig
from core.programs.classification import verdicts_program
from pages.classification.classifier import absent_classifiers
from pages.classification.how_measured import what_is_asked, what_is_held_out, what_it_proves
from pages.classification.said import LABELS, Said, said
from pages.controls.memory import remembered
from pages.controls.picture import picture, theme
from pages.controls.weights import note_absent
from pages.shell import Program, Scene
from viz.model_rows import describe_model_rows, model_rows
from viz.text import counted
from viz.theme import Theme

BLAME, PRAISE = "blame", "praise"
TITLES = ("Probability of praise", "Accuracy on unseen reviews")
WHAT = "The probability of praise"


def one_review(scene: Scene) -> Program:
    """A bar for every classifier, and beside it its accuracies; below them those of who reads one word."""
    here, models = said(scene), available()
    note_absent(scene.notes, absent_classifiers())
    verdicts = {title: verdict(config, here.plain) for title, config in models.items()}
    table = accuracies(tuple(models.items()))
    picture(
        model_rows(
            verdicts, table, ends=(BLAME, PRAISE), titles=TITLES, colours=_colours(theme()), theme=theme()
        ),
        key="review_verdicts",
        alt=describe_model_rows(verdicts, table, what=WHAT),
        table=lambda: _listed(verdicts, table),
    )
    st.markdown(_told(here, verdicts))
    st.markdown(what_it_proves(table, baselines.shares(baselines.MAJORITY)))
    st.caption(_how_measured())
    return Program(lambda: verdicts_program([here.plain]), "the probability of praise by every classifier")


@remembered(512)
def verdict(config: ClassifierConfig, words: tuple[str, ...]) -> float:
    return probability(config, words)


@remembered(4)
def accuracies(models: tuple[tuple[str, ClassifierConfig], ...]) -> pd.DataFrame:
    """Accuracies on every kind of review: columns model, kind, share, low and high.

    Of these classifiers, and last of who reads the last opinion alone.
    """
    rows = []
    for title, config in models:
        for kind in KINDS:
            found = accuracy(config, kind)
            low, high = found.value - found.error, found.value + found.error
            rows.append((title, kind, found.value, low, min(high, 1.0)))
    table = pd.DataFrame(rows, columns=["model", "kind", "share", "low", "high"])
    return pd.concat([table, baselines.table_by_last_opinion()], ignore_index=True)


def _colours(look: Theme) -> dict[str, str]:
    """What training had is grey; each kind it lacked has a colour and a sign of its own."""
    held_out = (look.query, look.key, look.value)
    return dict(zip(KINDS, (look.muted, look.muted, *held_out), strict=True))


def _listed(verdicts: dict[str, float], table: pd.DataFrame) -> pd.DataFrame:
    """A row for each model: its verdict, and its accuracies; a baseline has no probability."""
    shares = table.pivot(index="model", columns="kind", values="share")
    listed: pd.DataFrame = shares.loc[list(dict.fromkeys(table["model"])), list(KINDS)]
    listed.insert(0, "probability of praise", pd.Series(verdicts))
    return listed


def _told(here: Said, verdicts: dict[str, float]) -> str:
    """How many agree, and what the rules say."""
    praise = sum(value >= EVEN for value in verdicts.values())
    n = len(verdicts)
    agreed = (
        f"All {n} classifiers call it {PRAISE if praise else BLAME}."
        if praise in (0, n)
        else f"{praise} of {counted(n, 'classifier')} call it {PRAISE}, {n - praise} {BLAME}."
    )
    wrong = [
        title
        for title, value in verdicts.items()
        if here.label and (value >= EVEN) != (LABELS[here.label] == PRAISE)
    ]
    mistaken = f" Wrong: {', '.join(wrong)}." if wrong else ""
    return f"{agreed} {here.by_rules()}{mistaken}"


def _how_measured() -> str:
    """What the dots are measured on, and what training left out."""
    told = (
        what_is_asked(baselines.shares(baselines.NEAR_TO_TRAINING)),
        what_is_held_out(),
        "Other words of the language are known, but were not trained on. The Transformer has one layer and "
        "averages its states.",
    )
    return " ".join(told)
