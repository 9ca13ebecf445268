"""Translate: the sentence word by word, and what each word was chosen from."""

from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from core.learning.collection.translators import TranslatorConfig
from core.measures.translation.lengths import by_source_length
from core.measures.translation.writing import Strategy, Written, write
from core.programs.translation import writing_program
from core.text.tokenizer import words_of
from core.text.translation import NAME, SPECIAL, vocabulary
from pages.controls.arrival import put
from pages.controls.link import choice, menu, word_row
from pages.controls.memory import remembered
from pages.controls.picture import numbers, picture, theme
from pages.controls.prose import Typed
from pages.controls.sampling import CHOSEN, listed, sampling_menus
from pages.controls.screen import columns, room
from pages.controls.walk import walk_buttons
from pages.shell import Program, Scene
from pages.translation.begins import begins_with
from pages.translation.marked import marked
from pages.translation.rules import list_rules
from pages.translation.said import Said, said
from pages.translation.translate_said import how
from viz.bar_rows import bar_rows, describe_bar_rows
from viz.beam import beam_tree, describe_beam
from viz.predictions import SIZE, describe_prediction, likeliest, prediction_bars
from viz.text import counted

STEP = "step"
MOST_GIVEN = 32
"""So many words can be given at most; a longer translation is seldom right."""
PREFIX = 4
"""So many of the words before are named."""


def translate(scene: Scene) -> Program:
    """The strategy, the translation as a row of words, and the distribution at the chosen one."""
    here = said(scene)
    with scene.row:
        strategy = replace(_strategy(scene), prefix=_prefix(scene))
    text = written(here.translator.pair, here.plain, strategy)
    step = word_row(STEP, text.words, label=f"Translation into {NAME}", notes=scene.notes)
    with st.container(horizontal=True, vertical_alignment="center", key="walk"):
        walk_buttons(STEP, len(text.words))
        st.markdown(_compared(here, text))
    if strategy.way == "beam":
        _tree(text, step)
        _choices(text, step, strategy)
    else:
        left, right = columns([4, 5])
        with left:
            _choices(text, step, strategy)
        with right:
            _certainty(text, step)
    st.markdown(_told(here, text, strategy))
    list_rules()
    numbers("learned", lambda: _learned(here), title="What the model has learned")
    return Program(lambda: writing_program(here.translator.pair, here.plain, strategy))


def _strategy(scene: Scene) -> Strategy:
    """How words are chosen, and what goes with it."""
    way = choice("way", notes=scene.notes, hide_label=True)
    if way == "beam":
        return Strategy(way=way, width=menu("beam", notes=scene.notes, width=150))
    if way == "greedy":
        return Strategy(way=way)
    sampling, seed = sampling_menus(scene.notes)
    return Strategy(way=way, sampling=sampling, seed=seed)


def _prefix(scene: Scene) -> tuple[str, ...]:
    """The words that the translation is to begin with; what the second language does not have is left out."""
    words = tuple(map(Typed, words_of(begins_with())))
    if len(words) > MOST_GIVEN:
        scene.notes.info(f"At most {MOST_GIVEN} words can be given: the first of your {len(words)}.")
    words = words[:MOST_GIVEN]
    strange = [word for word in words if str(word) not in vocabulary() or str(word) in SPECIAL]
    if strange:
        named = ", ".join(f"**{word}**" for word in dict.fromkeys(strange))
        scene.notes.info(f"{NAME} does not have {named}: the translation begins without.")
    return tuple(str(word) for word in words if word not in strange)


@remembered(256)
def written(pair: TranslatorConfig, words: tuple[str, ...], strategy: Strategy) -> Written:
    return write(pair, words, strategy)


def _compared(here: Said, text: Written) -> str:
    """The translation beside the one that the rules make, the words that differ marked."""
    if here.reference.translation is None:
        return ""
    right = here.reference.translation.words
    if right == text.sentence:
        return ":green-badge[right] Word for word the translation that the rules make."
    return f":red-badge[not right] By the rules: {marked(right, text.sentence)}"


def _choices(text: Written, step: int, strategy: Strategy) -> None:
    """The likeliest words at the chosen step."""
    table = text.choices(step)
    before = " ".join(text.words[max(0, step - PREFIX) : step]) or "the start"
    more = "… " if step > PREFIX else ""
    title, shown = f"Word {step + 1}, after {more}{before}", likeliest(table)
    names: dict[str, Any] = {"before": "the model"}
    if strategy.way == "sampled":
        names["after"] = "drawn from"
    picture(
        prediction_bars(shown, title=title, theme=theme(), answer=CHOSEN, size=room(SIZE), **names),
        key="choices",
        alt=describe_prediction(shown, title=title, **names),
        table=lambda: listed(table, drawn=strategy.way == "sampled"),
    )


def _certainty(text: Written, step: int) -> None:
    """How likely each word was when it was chosen: where the model was in doubt."""
    shares, rows = np.exp(text.chosen)[None], {"probability": theme().attention}
    picture(
        bar_rows(shares, rows, text.words, top=1.0, theme=theme(), chosen=step),
        key="certainty",
        alt=describe_bar_rows(shares, list(rows), text.words, what="The probability of each word chosen"),
        table=lambda: pd.DataFrame({"word": text.words, "probability": shares[0]}),
        on_click=lambda point: put(STEP, point["data"][1] + 1),
    )


def _tree(text: Written, step: int) -> None:
    """The hypotheses of a beam."""
    table = pd.DataFrame([asdict(one) for one in text.tree])
    picture(
        beam_tree(table, theme=theme(), step=step + 1, size=room()),
        key="beam_tree",
        alt=describe_beam(table),
        table=lambda: table,
        on_click=lambda point: put(STEP, point["data"]),
    )


def _told(here: Said, text: Written, strategy: Strategy) -> str:
    """How the sentence came about, and what it is worth."""
    end = (
        f"It ended by itself after {counted(len(text.words), 'step')}."
        if text.ended
        else f"It was cut off after {counted(len(text.words), 'step')} without having come to an end."
    )
    return f"{how(strategy)} {end} {_worth(here, text, strategy)}"


def _learned(here: Said) -> pd.DataFrame:
    """The share of test sentences right for each group of source lengths."""
    found = by_source_length(here.translator.pair)
    rows = {f"{first}–{last}": share for (first, last), share in found.items()}
    return pd.DataFrame(
        {
            "sentences right": [share.value for share in rows.values()],
            "standard error": [share.error for share in rows.values()],
            "sentences": [share.n for share in rows.values()],
        },
        index=pd.Index(list(rows), name="words in the source"),
    )


def _nats(log_probability: float) -> str:
    return f"{log_probability:.3f} nats".replace("-", "−")


def _worth(here: Said, text: Written, strategy: Strategy) -> str:
    """The log-probability of the sentence, beside that of the greedy one."""
    own = f"The log-probability of the whole translation is **{_nats(text.total)}**"
    if strategy.way == "greedy":
        return f"{own}, the sum over its words."
    greedy = written(here.translator.pair, here.plain, Strategy(prefix=strategy.prefix))
    if text.words == greedy.words:
        return f"{own}; the greedy one is the same."
    if strategy.way == "beam" and greedy.total > text.total:
        lost = "the beginning of the likelier one was dropped on the way, as can happen to a beam"
        return f"{own}; the greedy one has {_nats(greedy.total)}: {lost}."
    return f"{own}; that of the greedy one is {_nats(greedy.total)}."
