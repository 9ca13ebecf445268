"""Contributions: what each word adds to the verdict of one model, by three measures."""

from itertools import combinations

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.classification.contributions import Contributions, contributions, kendall
from core.classifier import ClassifierConfig
from core.learning.tasks.sentences import WORD_DROPOUT
from core.programs.classification import contributions_program
from core.text.language import UNKNOWN
from pages.classification_views.classifier import Classifier
from pages.classification_views.said import Said, said
from pages.controls.memory import remembered
from pages.controls.picture import picture, theme
from pages.controls.prose import literal
from pages.shell import Program, Scene
from viz.spreads import describe_word_bars, word_bars
from viz.units import per_cent, signed

ABLATION, GRADIENT, ATTENTION = "ablation", "gradient × input", "attention weight"


def contributing(scene: Scene) -> Program:
    """Rows of bars, a word below each other in all of them, and how far the measures agree."""
    assert isinstance(scene.switches, Classifier), "the page chooses one"
    here, config = said(scene), scene.switches.classifier
    found = _found(config, here.plain)
    rows = measures(found)
    picture(
        word_bars(rows, here.labels, theme=theme()),
        key="contributions",
        alt=describe_word_bars(rows, here.labels, what="What each word contributes to the verdict"),
        table=lambda: pd.DataFrame({"word": here.labels, **rows}),
    )
    st.markdown(_told(here, found, rows))
    st.markdown(_agreement(rows))
    st.caption(_how(found))
    return Program(lambda: contributions_program(config, here.plain), "the contributions of every word")


@remembered(128)
def _found(config: ClassifierConfig, words: tuple[str, ...]) -> Contributions:
    return contributions(config, words)


def measures(found: Contributions) -> dict[str, np.ndarray]:
    """The measures that the model has, by their names."""
    rows = {ABLATION: found.ablation, GRADIENT: found.gradient}
    return rows if found.attention is None else {**rows, ATTENTION: found.attention}


def _told(here: Said, found: Contributions, rows: dict[str, np.ndarray]) -> str:
    """The verdict in log-odds, and the word that each measure puts first."""
    side = "praise" if found.log_odds >= 0 else "blame"
    first = {name: int(np.abs(values).argmax()) for name, values in rows.items()}
    named = "; ".join(f"by {name} **{literal(here.plain[at])}**" for name, at in first.items())
    return (
        f"The log-odds of praise are **{signed(found.log_odds)}**: {side}. The word that counts most: "
        f"{named}. {here.by_rules()}"
    )


def _agreement(rows: dict[str, np.ndarray]) -> str:
    """Kendall's τ between every two measures, of how much a word counts, whatever its sign."""
    taus = {
        (one, other): kendall(np.abs(rows[one]), np.abs(rows[other])) for one, other in combinations(rows, 2)
    }
    listed = "; ".join(f"{one} and {other} {_two_digits(tau)}" for (one, other), tau in taus.items())
    return (
        f"Rank agreement (Kendall's τ-b of the sizes, 1 is the same order of words, 0 no relation): "
        f"{listed}. "
        "Attention is not explanation: a weight says what is read, not what it does to the verdict "
        "(Jain and Wallace 2019; Wiegreffe and Pinter 2019 on when it may serve as one)."
    )


def _ratio(found: Contributions) -> float:
    """The largest gradient × input by the largest ablation."""
    largest = float(np.abs(found.ablation).max())
    return float(np.abs(found.gradient).max()) / largest if largest else 0.0


def _two_digits(tau: float) -> str:
    """An agreement in bold; a dash where one of the measures puts no word before another."""
    return "–" if np.isnan(tau) else f"**{tau:.2f}**".replace("-", "−")


def _how(found: Contributions) -> str:
    """What each measure is."""
    attention = (
        " *Attention weight*: what the word gets, averaged over all heads and all queries of the one layer; "
        "weights have no sign. Layer norms divide the length of a vector out again, so that little of the "
        f"slope lies along the vector: here the largest gradient × input is {per_cent(_ratio(found))} of the "
        "largest ablation."
        if found.attention is not None
        else " This network has no attention, so there are two measures."
    )
    unknown, one_in = literal(UNKNOWN), round(1 / WORD_DROPOUT)
    return (
        "Ablation and gradient × input are of the log-odds of praise: up is for praise, down for blame, each "
        "row in its own scale. *Ablation*: by how much the log-odds fall when the word is replaced by "
        f"{unknown}, which training has shown in place of one word in {one_in}. *Gradient × input*: the "
        "slope of the log-odds along the word's vector, which is all there is to say of a linear model."
        + attention
    )
