"""Contributions: what each word adds to the verdict of one model, by three measures."""

from itertools import combinations

import numpy as np
import pandas as pd
import streamlit as st

from core.learning.tasks.sentences import WORD_DROPOUT
from core.measures.classification.contributions import (
    ROUNDING,
    Contributions,
    contributions,
    kendall,
    leaders,
)
from core.model.classifier import ClassifierConfig
from core.programs.classification import contributions_program
from core.text.language import UNKNOWN, encode
from pages.classification.classifier import Classifier
from pages.classification.said import Said, said
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
    first = {name: leaders(values) for name, values in rows.items()}
    named = "; ".join(f"by {name} {_first(here, places)}" for name, places in first.items() if places)
    most = f" The word that counts most: {named}." if named else ""
    without = [name for name, places in first.items() if not places]
    none = f" No word counts by {' or '.join(without)}: {_why_none(here, without)}." if without else ""
    return f"The log-odds of praise are **{signed(found.log_odds)}**: {side}.{most}{none} {here.by_rules()}"


def _first(here: Said, places: tuple[int, ...]) -> str:
    """The word that a measure puts first; where several are level none is."""
    if len(places) > 1:
        return f"none alone, {len(places)} words are level"
    return f"**{literal(here.plain[places[0]])}**"


def _why_none(here: Said, measures: list[str]) -> str:
    """Why all the contributions by these measures are 0."""
    if measures == [ABLATION] and len(encode(here.plain).unknown) == len(here.plain):
        return f"the model reads each one as {literal(UNKNOWN)}, so that replacing it changes nothing"
    return f"all contributions are less than {ROUNDING:.5f}, which is rounding"


def _agreement(rows: dict[str, np.ndarray]) -> str:
    """Kendall's τ between every two measures, of how much a word counts, whatever its sign."""
    n_words = len(next(iter(rows.values())))
    if n_words == 1:
        return f"One word has no order, so there is no rank agreement. {_caution(rows)}"
    taus = {
        (one, other): kendall(np.abs(rows[one]), np.abs(rows[other])) for one, other in combinations(rows, 2)
    }
    listed = "; ".join(
        f"{one} and {other} **{_two_digits(tau)}**" for (one, other), tau in taus.items() if not np.isnan(tau)
    )
    agreement = (
        f"Rank agreement (Kendall's τ-b of the sizes, 1 is the same order of words, 0 no relation): {listed}."
        if listed
        else ""
    )
    level = [name for name, values in rows.items() if _is_level(values)]
    none = f"By {' and '.join(level)} all words are level: there is no order to compare." if level else ""
    return " ".join(filter(None, (agreement, none, _caution(rows))))


def _caution(rows: dict[str, np.ndarray]) -> str:
    """What the measures that are drawn must not be taken for."""
    if ATTENTION not in rows:
        return (
            "The two measures ask different questions: what replacing a word changes, and how steep the "
            "log-odds are along its vector."
        )
    return (
        "Attention is not explanation: a weight says what is read, not what it does to the verdict "
        "(Jain and Wallace 2019; Wiegreffe and Pinter 2019 on when it may serve as one)."
    )


def small_ratio(found: Contributions) -> str:
    """The largest gradient × input by the largest ablation, where it is small, as it is in most reviews."""
    slope, fall = (float(np.abs(values).max()) for values in (found.gradient, found.ablation))
    if not 0 < 2 * slope < fall:
        return ""
    return f": here the largest gradient × input is {per_cent(slope / fall)} of the largest ablation"


def _is_level(values: np.ndarray) -> bool:
    """Whether a measure puts no word before another: then it agrees with no order whatever."""
    return bool(np.isnan(kendall(np.abs(values), np.arange(len(values)))))


def _two_digits(tau: float) -> str:
    return f"{tau:.2f}".replace("-", "−")


def _how(found: Contributions) -> str:
    """What each measure is."""
    attention = (
        " *Attention weight*: what the word gets, averaged over all heads and all queries of the one layer; "
        "weights have no sign. Layer norms divide the length of a vector out again, so that in most reviews "
        f"little of the slope lies along the vector{small_ratio(found)}."
        if found.attention is not None
        else " This network has no attention, so there are two measures."
    )
    unknown, one_in = literal(UNKNOWN), round(1 / WORD_DROPOUT)
    return (
        "Ablation and gradient × input are of the log-odds of praise: up is for praise, down for blame, each "
        "row in its own scale. *Ablation*: by how much the log-odds fall when the word is replaced by "
        f"{unknown}, which training has shown in place of one word in {one_in}; a word that is not known is "
        f"read as {unknown} already and contributes 0. *Gradient × input*: the "
        "slope of the log-odds along the word's vector, which is all there is to say of a linear model."
        + attention
    )
