"""Side by side: RNN, LSTM and Transformer go on with the same words, a distribution at every step."""

from functools import partial
from typing import Any

import streamlit as st

from core.measures.generation.writing import WRITERS, Continued
from core.programs.generation import continuing_program
from pages.controls.picture import Point, picture, theme
from pages.controls.prose import literal
from pages.controls.sampling import CHOSEN, listed
from pages.controls.screen import columns, room
from pages.generation.by_hand import choose_by_hand
from pages.generation.texts import BEYOND, Texts, so_far, texts, walk
from pages.generation.writer import colours
from pages.shell import Program, Scene
from viz.predictions import SHOWN, SIZE, describe_prediction, likeliest, prediction_bars
from viz.text import counted

BY_HAND = "← by hand"
BEFORE = 2
"""So many of the words before are named above the bars."""


def side_by_side(scene: Scene) -> Program:
    """Three columns: the text so far, and what the model chooses from at the step."""
    found = texts(scene)
    written = {writer: found.of(writer) for writer in WRITERS}
    step = walk(found, max(len(text.written) for text in written.values()))
    for side, (writer, text) in zip(columns(len(written)), written.items(), strict=True):
        with side:
            _column(found, writer, text, min(step, len(text.written) - 1))
    st.markdown(_told(found, written))
    return Program(
        lambda: continuing_program(scene.plain, found.config, found.manners),
        prints="every word with the probability that the model gave it",
    )


def _column(found: Texts, writer: str, text: Continued, step: int) -> None:
    """One writer: its text, the bars, and a menu that does what a click on a bar does."""
    key = writer.lower()
    st.markdown(f"**{writer}**")
    st.markdown(so_far(text, step))
    table, drawn = text.choices(step), found.manner.way == "sampled"
    at = text.n_given + step
    title = f"Word {step + 1}, after {' '.join(text.words[max(0, at - BEFORE) : at])}"
    names: dict[str, Any] = {"before": "the model", "after": "drawn from" if drawn else ""}
    shown = likeliest(table)
    picture(
        prediction_bars(
            shown,
            title=title,
            theme=theme(),
            answer=BY_HAND if step in text.forced else CHOSEN,
            size=room(SIZE),
            colour=colours(theme())[writer],
            answers=True,
            **names,
        ),
        key=f"choices_{key}",
        alt=f"{writer}. {describe_prediction(shown, title=title, **names)}",
        table=lambda: listed(table, drawn=drawn),
        on_click=partial(_choose, writer, step),
    )
    words = list(table["word"][:SHOWN])
    st.selectbox(
        f"{writer}: choose another word here",
        words,
        index=None,
        placeholder="Choose another word here",
        key=f"another_{key}",
        label_visibility="collapsed",
        on_change=partial(_choose_in_menu, writer, step, f"another_{key}"),
    )


def _choose(writer: str, step: int, point: Point) -> None:
    choose_by_hand(writer, step, point["data"])


def _choose_in_menu(writer: str, step: int, key: str) -> None:
    """The word chosen in a menu, which is empty again afterwards."""
    word = st.session_state.get(key)
    if word is not None:
        choose_by_hand(writer, step, word)
        st.session_state[key] = None


def _told(found: Texts, written: dict[str, Continued]) -> str:
    """How words are chosen, how the texts ended, and what was chosen by hand."""
    how = (
        "At every step each model gives every word a probability, takes the likeliest (*greedy*), reads it "
        "as its next input and goes on."
        if found.manner.way == "greedy"
        else "At every step each model gives every word a probability, draws one by chance (*sampled*), "
        "reads it as its next input and goes on; the same seed draws the same words."
    )
    hand = "A click on a bar puts that word in place of the chosen one, and the model goes on from there."
    return " ".join(filter(None, (how, hand, _by_hand(written), _ends(found, written), BEYOND)))


def _by_hand(written: dict[str, Continued]) -> str:
    """Which words were chosen by hand."""
    named = [
        f"{writer} word {step + 1} **{literal(text.written[step])}**"
        for writer, text in written.items()
        for step in sorted(text.forced)
    ]
    return f"Chosen by hand: {', '.join(named)}." if named else ""


def _ends(found: Texts, written: dict[str, Continued]) -> str:
    """Which texts came to the end of a sentence before they were cut off."""
    if not found.manner.stops:
        return ""
    open_ones = [writer for writer, text in written.items() if not text.ended]
    if not open_ones:
        return ""
    cut = " and ".join(open_ones)
    return f"Without an end after {counted(found.manner.most, 'word')}: {cut}."
