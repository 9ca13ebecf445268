"""Recurrent: the language models and encoder–decoders that attention was added to, in the same drawing."""

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from core.measures.architectures.recurrent_formulas import formula_of
from core.measures.architectures.unrolled import (
    LANGUAGE_MODELS,
    Row,
    Unrolled,
    pair_config,
    unrolled_language_model,
    unrolled_pair,
)
from core.programs.architectures import recurrent_program, translator_program
from pages.architectures.complaint import say_no_translation
from pages.architectures.drawing import shape
from pages.architectures.part import draw_vectors
from pages.contract.form import numbered
from pages.controls.cited import equation
from pages.controls.link import choice, menu, word_menu
from pages.controls.memory import remembered
from pages.controls.parameters import options_of
from pages.controls.picture import Point, picture, theme
from pages.controls.screen import columns, room
from pages.controls.sentence import marked
from pages.shell import Program, Scene
from viz.architectures.layout import Box
from viz.architectures.unrolled import MOST, describe_unrolled, unrolled
from viz.tables import unique_words
from viz.text import counted

RNN, LSTM, FIXED, ATTENDS = options_of("network")
FIGURE, AT_LEAST = 580, 330
PRINTS = "the name, the shape and the mean norm of everything recorded, in the order in which it is computed"

TITLES: Mapping[str, tuple[str, str]] = {
    "embed": ("word vectors", "words"),
    "hidden": ("hidden states", "state"),
    "vector": ("fixed vector", "vector"),
    "context": ("contexts", "context"),
    "combined": ("combined", "combined"),
    "logits": ("output", "output"),
}
"""The title of a row and its kind, by the end of its recorded name."""


def recurrent(scene: Scene) -> Program:
    """The chosen network unrolled over the sentence, and what one of its rows computed."""
    with scene.row:
        network = choice("network", notes=scene.notes, hide_label=True)
        seen = _seen(scene.words, network)
        step = _step(scene, seen) if network == ATTENDS else 0
    scene.name_unknown(seen.unknown)
    if seen.complaint:
        say_no_translation(scene.notes, seen.complaint)
    left, right = columns([3, 2])
    with right:
        row = _chosen(scene, seen)
    with left:
        _draw(seen, network, row, step)
        st.markdown(_told(seen, network))
        st.caption(_weights(network, seen))
    with right:
        _explain(seen, row)
    return Program(lambda: _program(scene, seen, network), prints=PRINTS)


@remembered(32)
def _seen(words: tuple[str, ...], network: str) -> Unrolled:
    if network in (RNN, LSTM):
        return unrolled_language_model(words, "rnn" if network == RNN else "lstm")
    return unrolled_pair(words, attends=network == ATTENDS)


def _step(scene: Scene, seen: Unrolled) -> int:
    """The step of the decoder whose weights are drawn: at first that with the largest weight."""
    shown = seen.target[:MOST]
    assert seen.alignment is not None, "asked of a network with attention alone"
    surest = int(seen.alignment[: len(shown)].max(axis=1).argmax())
    unchosen = numbered(shown, surest)
    chosen = word_menu("decoder_step", shown, notes=scene.notes, unchosen=unchosen)
    return surest if chosen is None else chosen


def _chosen(scene: Scene, seen: Unrolled) -> Row:
    by_name = {_title(name): row for name, row in seen.rows.items()}
    first = next(title for title in by_name if title.endswith("hidden states") or "layer 1" in title)
    with st.container(horizontal=True, key="inline_part"):
        return by_name[menu("part", options=list(by_name), default=first, notes=scene.notes, width=300)]


def _title(name: str) -> str:
    """What a row is called, by its recorded name: `encoder: hidden states`."""
    stack, _, path = name.partition(".")
    title = TITLES[name.rpartition(".")[2]][0]
    if stack not in ("encoder", "decoder"):
        layer = f", layer {int(name.split('.')[1]) + 1}" if name.startswith("layers.") else ""
        return title + layer
    return title if path.endswith("vector") else f"{stack}: {title}"


def _boxes(seen: Unrolled) -> list[Box]:
    boxes = []
    for name, row in seen.rows.items():
        title, kind = TITLES[name.rpartition(".")[2]]
        if name.startswith("layers."):
            title = f"layer {int(name.split('.')[1]) + 1}"
        stack = "encoder" if name.startswith("encoder.") or not seen.target else "decoder"
        boxes.append(Box(name, kind, title, shape(row.shape), (), stack=stack))
    return boxes


def _draw(seen: Unrolled, network: str, row: Row, step: int) -> None:
    boxes = _boxes(seen)
    words: dict[str, Sequence[str]] = {"encoder": marked(seen.source, seen.unknown)}
    if seen.target:
        words["decoder"] = seen.target
    picture(
        unrolled(
            boxes,
            words,
            seen.arrows,
            theme=theme(),
            width=room(FIGURE, at_least=AT_LEAST),
            alignment=seen.alignment,
            step=step,
            chosen=row.name,
        ),
        key="unrolled",
        alt=describe_unrolled(boxes, words, title=network, attends=seen.alignment is not None),
        table=lambda: _table(seen),
        on_click=_choose,
    )


def _choose(point: Point) -> None:
    st.session_state["part"] = _title(point["data"])


def _table(seen: Unrolled) -> pd.DataFrame:
    """A row for each word of the last sentence: what is expected after it, and its weights if it attends."""
    words = seen.target or seen.source
    table = pd.DataFrame(
        {"most likely next word": seen.expected, "probability": seen.probabilities},
        index=pd.Index(unique_words(words), name="word"),
    )
    if seen.alignment is not None:
        for at, word in enumerate(unique_words(seen.source)):
            table[word] = seen.alignment[:, at]
    return table


def _explain(seen: Unrolled, row: Row) -> None:
    """The row's vectors, its formula and its place in the program."""
    end = row.name.rpartition(".")[2]
    of_encoder = row.name.startswith("encoder.") or not seen.target
    words = marked(seen.source, seen.unknown) if of_encoder else seen.target
    draw_vectors(row.value, words if end != "vector" else ("fixed vector",), what=_title(row.name))
    formula = formula_of(end, seen.config)
    if formula is not None:
        equation(*formula)
    if row.place is not None:
        st.caption(f"{shape(row.shape)}, written in {row.place.file}, line {row.place.line}:")
        st.code(row.place.text, language="python", wrap_lines=True)


def _in_steps(n: int) -> str:
    return "one word is one step" if n == 1 else f"{n} words are {n} steps, one after the other"


def _told(seen: Unrolled, network: str) -> str:
    n, m = len(seen.source), len(seen.target)
    width = seen.config.d_model
    first = {
        RNN: f"Every state is made of the state before it and one word: {_in_steps(n)}.",
        LSTM: f"The steps are those of the RNN: {_in_steps(n)}. With its state every box hands on a cell, "
        "whose gates are inside of the box.",
        FIXED: f"Everything the decoder knows of {counted(n, 'word')} has to pass through **one vector** of "
        f"{width} numbers, however long the sentence is: the bottleneck.",
        ATTENDS: f"In each step of the decoder, {m} here, its state is compared with every state of the "
        f"encoder, {n} here, and their weighted sum is taken: what cross-attention does in a Transformer. A "
        "step is drawn over the word that it has read, and writes the next one.",
    }[network]
    cut = f" Drawn are the first {MOST} words." if max(n, m) > MOST else ""
    return first + cut


def _weights(network: str, seen: Unrolled) -> str:
    if network in (RNN, LSTM):
        name = LANGUAGE_MODELS["rnn" if network == RNN else "lstm"]
        return f"Trained to predict the next word: {name} of the collection, {seen.config.n_layers} layers."
    attention = "" if network == ATTENDS else "&attention=none"
    return (
        f"Trained to translate: it writes on the page [Translation](/translation?translator=RNN{attention})."
    )


def _program(scene: Scene, seen: Unrolled, network: str) -> str:
    if network in (RNN, LSTM):
        return recurrent_program(scene.plain, LANGUAGE_MODELS["rnn" if network == RNN else "lstm"])
    return translator_program(scene.plain, seen.target, pair_config(attends=network == ATTENDS))
