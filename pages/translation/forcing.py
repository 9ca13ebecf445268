"""Teacher forcing: what the decoder is fed, and what one wrong word does to the words after it."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from core.learning.collection.translators import TranslatorConfig
from core.measures.translation.forcing import continued, expected, likeliest
from core.measures.translation.writing import Strategy
from core.programs.translation import forcing_program
from core.text.language import START
from core.text.translation import END
from pages.contract.form import numbered
from pages.controls.arrival import put
from pages.controls.cited import equation
from pages.controls.link import menu, word_menu
from pages.controls.memory import remembered
from pages.controls.picture import picture, theme
from pages.controls.prose import literal
from pages.shell import Program, Scene
from pages.translation.marked import marked
from pages.translation.said import Said, said
from pages.translation.translate import written
from viz.bar_rows import bar_rows, describe_bar_rows
from viz.text import counted
from viz.units import probability

OFFERED = 6
"""So many of the likeliest words are offered in place of the right one."""

RIGHT, OWN, WRONG = "right words", "its own words", "one wrong"


def teacher_forcing(scene: Scene) -> Program:
    """The probability of each word by the rules, with right words before it and with one wrong word."""
    here = said(scene)
    pair, right = here.translator.pair, _target(here)
    with scene.row:
        at = _place(here, right)
        instead = _instead(scene, pair, here.plain, right, at)
    fed = (*right[:at], instead, *right[at + 1 :])
    asked = (*right, END)
    shares = np.stack([_expected(pair, here.plain, words, asked) for words in (right, fed)])
    first = OWN if here.reference.translation is None else RIGHT
    rows = {first: theme().attention, WRONG: theme().selection}
    st.markdown(f"**Probability of each word**, in per cent. Fed, one word before each: {_fed(fed, at)}")
    picture(
        bar_rows(shares, rows, asked, top=1.0, theme=theme(), chosen=at),
        key="forced",
        alt=describe_bar_rows(shares, list(rows), asked, what="The probability of each word"),
        table=lambda: pd.DataFrame({"word": asked, **dict(zip(rows, shares, strict=True))}),
        on_click=lambda point: put("wrong", min(point["data"][1], len(right) - 1) + 1),
    )
    free = _continued(pair, here.plain, (*right[:at], instead))
    st.markdown(_told(right, instead, at, shares))
    st.markdown(f"Left to itself after the wrong word the model writes: {marked(free, right)}")
    equation(
        r"\mathcal{L} = -\sum_t \log p_\theta(y_t \mid y_{<t}, x)",
        "Teacher forcing: in training every word is asked for after the right ones, whatever the model would "
        "have written. In use it is fed its own words.",
    )
    return Program(lambda: forcing_program(pair, here.plain, fed, asked))


def _target(here: Said) -> tuple[str, ...]:
    """The right words; where the rules have none those that the model writes."""
    exact = here.reference.translation
    return written(here.translator.pair, here.plain, Strategy()).sentence if exact is None else exact.words


def _place(here: Said, right: Sequence[str]) -> int:
    """The place of the wrong word, at first the second one: articles say a gender."""
    usual = min(1, len(right) - 1)
    chosen = word_menu("wrong", right, notes=here.scene.notes, unchosen=numbered(right, usual), width=240)
    return usual if chosen is None else chosen


def _instead(
    scene: Scene, pair: TranslatorConfig, words: tuple[str, ...], right: Sequence[str], at: int
) -> str:
    """The word fed there, of those that the model finds likely: at first the likeliest wrong one."""
    found = _likeliest(pair, words, tuple(right[:at]))
    others = [word for word, _ in found if word not in (right[at], END)][:OFFERED]
    return menu("instead", options=others, notes=scene.notes, width=190)


@remembered(256)
def _expected(
    pair: TranslatorConfig, words: tuple[str, ...], fed: tuple[str, ...], asked: tuple[str, ...]
) -> np.ndarray:
    return expected(pair, words, fed, asked)


@remembered(256)
def _likeliest(
    pair: TranslatorConfig, words: tuple[str, ...], fed: tuple[str, ...]
) -> tuple[tuple[str, float], ...]:
    return likeliest(pair, words, fed, OFFERED + 2)


@remembered(256)
def _continued(pair: TranslatorConfig, words: tuple[str, ...], prefix: tuple[str, ...]) -> tuple[str, ...]:
    return continued(pair, words, prefix)


def _fed(fed: Sequence[str], at: int) -> str:
    """What the decoder reads, the wrong word marked."""
    shown = [literal(word) if i != at else f":red[**{literal(word)}**]" for i, word in enumerate(fed)]
    return " ".join([literal(START), *shown])


def _told(right: Sequence[str], instead: str, at: int, shares: np.ndarray) -> str:
    """Which later words the wrong one makes unlikely."""
    before, after = shares[:, at + 1 :]
    names = [*right, END][at + 1 :]
    hit = [i for i in range(len(names)) if before[i] >= 0.5 > after[i]]
    wrong, was = literal(instead), literal(right[at])
    if not hit:
        return f"With **{wrong}** in place of *{was}* every later word that was likely stays likely."
    named = ", ".join(f"*{literal(names[i])}* ({_change(before[i], after[i])})" for i in hit)
    far = hit[-1] + 1
    return (
        f"With **{wrong}** in place of *{was}* {counted(len(hit), 'later word')} "
        f"{'is' if len(hit) == 1 else 'are'} no longer likely: {named}. {_which(len(hit))} is "
        f"{counted(far, 'word')} on. Training never shows the model a wrong word of its own."
    )


def _which(n: int) -> str:
    return "It" if n == 1 else "The last of them"


def _change(before: float, after: float) -> str:
    return f"{probability(before)} → {probability(after)}"
