"""Layer norm: every token by its own mean and standard deviation, before and after."""

from typing import Any

import pandas as pd
import streamlit as st

from core.measures.blocks.normalised import Normalised, normalised, places
from core.programs.normalised import normalised_program
from pages.controls.cited import equation, footnote
from pages.controls.link import menu, switch, word_menu
from pages.controls.memory import remembered
from pages.controls.picture import Point, picture, theme
from pages.controls.screen import columns
from pages.controls.sentence import Words, marked
from pages.controls.switches import Architecture
from pages.shell import Program, Scene
from viz.spreads import Statistics, describe_spreads, describe_vector_bars, spreads, vector_bars
from viz.tables import unique_words
from viz.theme import Theme
from viz.units import distance, signed

LEARNED = "A learned gain and bias, the same for all words, then scale and shift every dimension."
NO_NORM = "This model has no layer norm. Shown is what layer norm would do in the place of pre-norm."


def layer_norm(scene: Scene) -> Program:
    """Mean and spread of every word on the left, the vector of the chosen one on the right."""
    switches, names = scene.switches, places(scene.switches.config)
    with scene.row:
        where = menu("norm_at", options=names, notes=scene.notes, width=330)
        word = word_menu("word", scene.words, notes=scene.notes, unchosen="first") or 0
        others = switch("others", notes=scene.notes)
    plain = _normalised(scene.words, switches, names.index(where), None)
    shown = _normalised(scene.words, switches, names.index(where), word) if others else plain
    scene.name_unknown(shown.unknown)
    if switches.config.norm == "none":
        scene.notes.info(NO_NORM)
    left, right = columns([3, 2])
    with left:
        _tokens(scene.plain, shown, word, learned=switches.config.norm != "none")
    with right:
        _vector(scene.words, shown, word)
    st.markdown(_told(scene.words, plain, shown, word, others=others))
    if switches.config.norm != "none":
        st.markdown(LEARNED)
    equation(
        r"\text{LN}(h_i) = \frac{h_i - \hat\mu_i}{\hat\sigma_i}, \quad "
        r"\hat\mu_i = \tfrac{1}{d}\sum_j h_{ij}, \quad "
        r"\hat\sigma_i^2 = \tfrac{1}{d}\sum_j (h_{ij} - \hat\mu_i)^2",
        "CS 224N note, eq 27–28; 10⁻⁵ is added to the variance, so that nothing is divided by 0",
    )
    footnote("E9")
    return Program(lambda: normalised_program(scene.subject, names.index(where)))


@remembered(32)
def _normalised(words: tuple[str, ...], switches: Architecture, place: int, kept: int | None) -> Normalised:
    return normalised(
        words, switches.config, source=switches.source, seed=switches.seed, place=place, kept=kept
    )


def _colours(look: Theme) -> dict[str, str]:
    return {"before": look.recurrence, "after": look.attention, "with gain and bias": look.value}


def _tokens(words: tuple[str, ...], shown: Normalised, word: int, *, learned: bool) -> None:
    stages = {name: Statistics(*both) for name, both in shown.statistics().items()}
    if not learned:
        del stages["with gain and bias"]
    labels = marked(words, shown.unknown)
    picture(
        spreads(stages, _colours(theme()), labels, theme=theme(), chosen=word),
        key="tokens",
        alt=describe_spreads(stages, labels, what="Mean and standard deviation"),
        table=lambda: _table(stages, words),
        on_click=_choose,
    )


def _vector(words: Words, shown: Normalised, word: int) -> None:
    vectors = {"before": shown.before[word], "after": shown.after[word]}
    picture(
        vector_bars(vectors, _colours(theme()), theme=theme()),
        key="vector",
        alt=describe_vector_bars(vectors, what=f"The vector of {unique_words(list(map(str, words)))[word]}"),
        table=lambda: pd.DataFrame(vectors, index=pd.RangeIndex(1, len(vectors["before"]) + 1, name="d")),
    )
    st.caption(
        f"The {len(vectors['before'])} dimensions of *{words[word]}*, with their mean and standard deviation."
    )


def _table(stages: dict[str, Statistics], words: tuple[str, ...]) -> pd.DataFrame:
    """A row for each word."""
    columns: dict[str, Any] = {}
    for name, (mean, deviation) in stages.items():
        columns |= {f"{name}, mean": mean, f"{name}, standard deviation": deviation}
    return pd.DataFrame(columns, index=pd.Index(unique_words(words), name="word"))


def _told(words: Words, plain: Normalised, shown: Normalised, word: int, *, others: bool) -> str:
    """The statistics of the chosen word, and whether they know of any other."""
    statistics, name = shown.statistics(), words[word]
    mean, deviation, new_mean, new_deviation = (
        signed(numbers[word]) for stage in ("before", "after") for numbers in statistics[stage]
    )
    first = (
        f"A bar runs from mean − standard deviation to mean + standard deviation. The vector of **{name}** "
        f"has mean {mean} and standard deviation {deviation} before layer norm, and {new_mean} and "
        f"{new_deviation} after it."
    )
    if not others:
        return f"{first} Every token is normalised by itself: press *Change all other words* to see it."
    change = plain.change(shown, word)
    return (
        f"{first} All other vectors were multiplied by 3 and shifted by 1: the statistics of **{name}** "
        f"changed by **{distance(change)}**."
    )


def _choose(point: Point) -> None:
    st.session_state["word"] = point["data"] + 1
