"""The sentence box: read while the visitor types, with example sentences one click away."""

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.model.config import ModelConfig
from core.sources import Pieces, PretrainedInfo
from core.sources.source import MOST_PIECES
from core.text.language import encode
from core.text.tokenizer import MAX_CHARACTERS, MAX_WORDS, readable, too_long, words_of
from pages.contract.parameter import Parameter
from pages.contract.prose import Typed, literal
from pages.contract.words import NO_PIECE, UNKNOWN_MARK, UNKNOWN_NAMED, Words
from pages.shell.known_words import list_known_words
from pages.state.link import change_link, choose, show_value
from words import counted

WORDS_ON_BUTTON = 2


class SentenceBox(NamedTuple):
    """A typed sentence, and the place beside its box for the limit, which depends on the model."""

    name: str
    label: str
    text: str
    words: Words
    beside: DeltaGenerator


def draw_box(asked: Parameter, text: str, notes: DeltaGenerator) -> SentenceBox:
    """Draw the box of a sentence, with room beside it; a note says what to do if it has no word."""
    with st.container(horizontal=True, vertical_alignment="center", wrap=False):
        show_value(asked, text, partial(_draw_line, asked), is_typed=True)
        words = tuple(map(Typed, words_of(readable(text))))
        beside = st.container(horizontal=True, vertical_alignment="center", width="content", wrap=False)
    if not words:
        _draw_why_nothing(text, asked.label, notes)
    return SentenceBox(asked.name, asked.label, readable(text), words, beside)


def _draw_line(asked: Parameter, look: dict[str, Any]) -> Any:
    return st.text_input(
        asked.label,
        key=asked.name,
        on_change=partial(choose, asked),
        live=True,
        placeholder="Type a sentence",
        label_visibility="collapsed",
        **look,
    )


def draw_examples(examples: Sequence[str], *, in_pieces: bool) -> None:
    """Draw the examples; a click puts one into the box.

    One with words that trained models do not know says so, unless it is read `in_pieces`, which fit any word.
    A second box then gets the same words in another order.
    """
    with st.container(horizontal=True, gap="xsmall", key="examples"):
        for i, example in enumerate(examples):
            n_unknown = 0 if in_pieces else len(encode(words_of(example)).unknown)
            st.button(
                _shortened(example) + UNKNOWN_MARK * bool(n_unknown),
                key=f"example_{i}",
                type="tertiary",
                help=_explained(example, n_unknown),
                on_click=change_link,
                args=({"text": example, "other": None},),
            )


def draw_beside(
    typed_in: SentenceBox, one: PretrainedInfo | None, config: ModelConfig, most_pieces: int
) -> None:
    """Write the length and limit of a sentence beside its box, and the words that trained models know."""
    with typed_in.beside:
        st.caption(_length(typed_in, one, config, most_pieces))
        if one is None and typed_in.name == "text":
            list_known_words()


def _length(typed_in: SentenceBox, one: PretrainedInfo | None, config: ModelConfig, most_pieces: int) -> str:
    if one is None:
        return f"{counted(len(typed_in.words), 'word')} (at most {MAX_WORDS})"
    can_read = one.most_pieces(config)
    most = min(most_pieces, can_read)
    of = f" in {literal(one.title)}" * (most == can_read < MOST_PIECES)
    return f"{counted(one.count(typed_in.text), 'token')} (at most {most}{of})"


def usable(typed_in: SentenceBox, notes: DeltaGenerator) -> bool:
    """Return whether models of the small language can read a sentence; if it is too long a note says so."""
    n, called = len(typed_in.words), f"the {typed_in.label.lower()}"
    more = n - MAX_WORDS
    if more > 0:
        limit = too_long("Models of the small language read", MAX_WORDS, n, "word", called=called)
        notes.warning(f"{limit} Remove {more}: what you typed is still in the box.")
    return more <= 0


def draw_unknown_pieces(pieces: Pieces) -> None:
    """Name the parts of the sentence that no piece of a real model fits, and what the model reads instead."""
    named = ", ".join(
        f"**{Typed(label)}**{UNKNOWN_MARK}"
        for label in list(dict.fromkeys(pieces.labels[at] for at in pieces.unknown))[:UNKNOWN_NAMED]
    )
    instead = Typed(pieces.texts[pieces.unknown[0]])
    st.markdown(f":orange-badge[unknown] {named}: {NO_PIECE}. The model reads {instead} instead.")


def _draw_why_nothing(text: str, label: str, notes: DeltaGenerator) -> None:
    """Note why a box has no word to read: it is empty, or too long."""
    called = f"the {label.lower()}"
    if readable(text) == text:
        notes.info(f"The {label.lower()} is empty: type at least one word.")
    else:
        limit = too_long("This app reads", MAX_CHARACTERS, len(text), "character", called=called)
        notes.warning(f"{limit} Shorten it: what you typed is still in the box.")


def _shortened(example: str) -> str:
    """Return the first words of an example, enough to know it by, so that all examples fit one line."""
    words = example.split()
    return example if len(words) <= WORDS_ON_BUTTON else " ".join(words[:WORDS_ON_BUTTON]) + " …"


def _explained(example: str, n_unknown: int) -> str:
    """Return the whole example, and how much of it trained models do not know."""
    if not n_unknown:
        return example
    n = len(words_of(example))
    return f"{example} {UNKNOWN_MARK} Trained models do not know {n_unknown} of its {n} words."
