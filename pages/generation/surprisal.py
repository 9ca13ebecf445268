"""Surprisal: how likely each word of one text is to all three models, given the words before."""

import numpy as np
import pandas as pd
import streamlit as st

from core.measures.generation.surprisal import Surprisals
from core.measures.generation.writing import WRITERS, Continued, loss_on_test_sentences
from core.model.config import ModelConfig
from core.programs.generation import surprisal_program
from pages.controls.arrival import put
from pages.controls.cited import equation
from pages.controls.link import choice
from pages.controls.memory import remembered
from pages.controls.parameters import options_of
from pages.controls.picture import picture, theme
from pages.controls.prose import literal
from pages.generation.texts import STEP, Texts, read_by_all, texts, walk
from pages.generation.writer import colours
from pages.shell import Program, Scene
from viz.bar_rows import bar_rows, describe_bar_rows
from viz.tables import unique_words
from viz.text import counted
from viz.units import one_decimal, per_cents

SURPRISAL, PROBABILITY = options_of("measure")


def surprisal(scene: Scene) -> Program:
    """A row of bars for each model over the text of the one chosen, and the perplexities."""
    found = texts(scene)
    text = found.of(found.writer)
    with scene.row:
        measure = choice("measure", notes=scene.notes, hide_label=True)
    step = walk(found, len(text.written))
    read = read_by_all(text.words, found.config)
    _draw(found, text, read, step, measure)
    st.markdown(_told(text, read, step))
    st.markdown(f"{_learned(found.config)} {_not_scored(read)}")
    equation(
        r"s_t = -\ln p(w_t \mid w_{<t}), \qquad \text{perplexity} = \exp\Big(\frac{1}{n}\sum_t s_t\Big)",
        "CS 224N note, eq 18–20, for the probabilities; surprisal after Hale (2001), here in nats: divided "
        "by ln 2 = 0.69 it is in bits.",
    )
    return Program(
        lambda: surprisal_program(text.words, found.config, WRITERS),
        prints="the surprisal of every word, in nats, and the perplexity",
    )


def _draw(found: Texts, text: Continued, read: Surprisals, step: int, measure: str) -> None:
    in_nats = measure == SURPRISAL
    values = np.stack([read.nats[name] if in_nats else read.probabilities(name) for name in WRITERS])
    say, labels = (one_decimal if in_nats else per_cents), found.labels(text)
    top = float(np.nanmax(values, initial=1e-9)) if in_nats else 1.0
    what = "Surprisal of each word, in nats" if in_nats else "Probability of each word, in per cent"
    st.markdown(f"**{what}.** The text is written by the {found.writer} and read by all three.")
    chosen = text.n_given + step
    figure = bar_rows(values, colours(theme()), labels, top=top, theme=theme(), chosen=chosen, say=say)
    picture(
        figure,
        key="surprisals",
        alt=describe_bar_rows(values, WRITERS, labels, what=what, say=say),
        table=lambda: _listed(read),
        on_click=lambda point: put(STEP, max(0, point["data"][1] - text.n_given) + 1),
    )


def _listed(read: Surprisals) -> pd.DataFrame:
    """Surprisal and probability of every word to each model."""
    columns = {f"{name}, nats": read.nats[name] for name in WRITERS}
    columns |= {f"{name}, probability": read.probabilities(name) for name in WRITERS}
    return pd.DataFrame(columns, index=pd.Index(unique_words(read.words), name="word"))


def _told(text: Continued, read: Surprisals, step: int) -> str:
    """The surprisal of the chosen word, and the perplexities as far as it and of the whole text."""
    at = text.n_given + step
    word = literal(text.words[at])
    nats = [f"{name} {value:.2f}" for name in WRITERS if np.isfinite(value := read.nats[name][at])]
    told = [f"Surprisal of word {at + 1}, *{word}*, in nats: {', '.join(nats)}."] if nats else []
    if at + 1 < len(text.words):
        told.append(_perplexity(read, at + 1, "as far as this word"))
    return " ".join([*told, _perplexity(read, None, "of the whole text")])


def _perplexity(read: Surprisals, n_words: int | None, of: str) -> str:
    found = [f"{name} {value:.2f}" for name, value in read.perplexities(n_words).items()]
    return f"Perplexity {of}: **{', '.join(found)}**." if found else ""


def _learned(config: ModelConfig) -> str:
    """What the models have reached in training, to compare with."""
    reached = ", ".join(f"{name} {perplexity:.2f}" for name, perplexity in _test_perplexities(config))
    return (
        f"Perplexity of test sentences, which no model has seen in training: {reached}. A model with a "
        "perplexity of 5 is as uncertain, on average, as one that chooses among 5 equally likely words."
    )


def _not_scored(read: Surprisals) -> str:
    """Which words of the text have no surprisal."""
    first = "The first word is not scored, for nothing stands before it"
    n = len(set(read.unknown) - {0})
    if not n:
        return f"{first}."
    return f"{first}, and neither {'is' if n == 1 else 'are'} {counted(n, 'word')} that no model knows."


@remembered(64)
def _test_perplexities(config: ModelConfig) -> tuple[tuple[str, float], ...]:
    return tuple((name, float(np.exp(loss_on_test_sentences(name, config)))) for name in WRITERS)
