"""The sentence box: answers while one types, with the sources' sentences one click away."""

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.model.config import ModelConfig
from core.sources import Pieces, PretrainedInfo
from core.sources.source import MOST_PIECES
from core.text.language import encode
from core.text.limits import too_long
from core.text.tokenizer import MAX_CHARACTERS, MAX_WORDS, readable, words_of
from pages.contract.examples import EXAMPLES
from pages.contract.orders import another_order
from pages.contract.prose import Typed, literal
from pages.contract.words import NO_PIECE, UNKNOWN_MARK, UNKNOWN_NAMED, Words, unknown_named
from pages.controls.arrival import arrive
from pages.controls.known_words import list_known_words
from pages.controls.put_in import TYPED, put_in

WORDS_ON_BUTTON = 2


class Box(NamedTuple):
    """A sentence as it was typed, and the place beside its box, which says how long it may be.

    What reads it decides that, so what answers to the box writes it: see `draw_beside`.
    """

    name: str
    label: str
    words: Words
    beside: DeltaGenerator


def sentence(
    notes: DeltaGenerator,
    *,
    default: str,
    examples: Sequence[str] = EXAMPLES,
    in_two_orders: bool = False,
    in_pieces: bool = False,
) -> Box:
    """The sentence typed, with examples below it; where it is empty a note says what to do.

    Where a second box is to hold it `in_two_orders`, what is put in by a click comes into both. An example
    with words that trained models do not know says so, unless it is read `in_pieces`, which fit any word.
    """
    typed_in = box("text", "Sentence", notes, default=default)
    _examples(examples, in_two_orders=in_two_orders, in_pieces=in_pieces)
    return typed_in


def second_box(notes: DeltaGenerator, *, default: str) -> Box:
    """A second sentence, at first the words of the first box in another order, which `default` may be.

    It follows the first box until the visitor types one, or a link brings one.
    """
    text = typed("text")
    in_order = another_order(text, default, *EXAMPLES) if words_of(text) else default
    return box("other", "Second sentence", notes, default=in_order)


def draw_beside(typed_in: Box, one: PretrainedInfo | None, config: ModelConfig, most_pieces: int) -> None:
    """Write beside its box how long a sentence is and may be, and the words that trained models know.

    A real model knows pieces instead, and any sentence can be made of them: there is no list of its words.
    """
    with typed_in.beside:
        st.caption(_length(typed_in, one, config, most_pieces))
        if one is None and typed_in.name == "text":
            list_known_words()


def _length(typed_in: Box, one: PretrainedInfo | None, config: ModelConfig, most_pieces: int) -> str:
    if one is None:
        return f"{len(typed_in.words)} of {MAX_WORDS} words"
    can_read = one.most_pieces(config)
    most, of = min(most_pieces, can_read), "pieces"
    if most == can_read < MOST_PIECES:
        of = f"positions of {literal(one.title)}"
    return f"{one.count(typed(typed_in.name))} of {most} {of}"


def usable(typed_in: Box, notes: DeltaGenerator) -> bool:
    """Whether models of the small language can read a sentence; where it is too long a note says so.

    What was typed is kept.
    """
    n, called = len(typed_in.words), f"the {typed_in.label.lower()}"
    more = n - MAX_WORDS
    if more > 0:
        limit = too_long("Models of the small language read", MAX_WORDS, n, "word", called=called)
        notes.warning(f"{limit} Take {more} away: what you typed is still in the box.")
    return more <= 0


def draw_unknown_words(words: Words, unknown: Sequence[int]) -> None:
    """Name the words of the sentence that the model does not know, where the page is being drawn."""
    if unknown:
        st.markdown(unknown_named(words, unknown), width="content")


def draw_unknown_pieces(pieces: Pieces) -> None:
    """What of the sentence no piece of a real model's vocabulary fits, and what the model reads instead."""
    if not pieces.unknown:
        return
    named = ", ".join(
        f"**{Typed(label)}**{UNKNOWN_MARK}"
        for label in list(dict.fromkeys(pieces.labels[at] for at in pieces.unknown))[:UNKNOWN_NAMED]
    )
    instead = Typed(pieces.texts[pieces.unknown[0]])
    st.markdown(f":orange-badge[unknown] {named}: {NO_PIECE}. The model reads {instead} instead.")


def typed(name: str) -> str:
    """The sentence in a box as it was typed, for a model that reads pieces; nothing of one too long."""
    return readable(str(st.session_state.get(name, "")))


def box(name: str, label: str, notes: DeltaGenerator, *, default: str) -> Box:
    """One sentence box bound to the parameter `name`, and room beside it."""
    arrive(name, default)
    with st.container(horizontal=True, vertical_alignment="center", wrap=False):
        text = st.text_input(
            label,
            default,
            key=name,
            bind="query-params",
            live=True,
            placeholder="Type a sentence",
            label_visibility="collapsed",
        )
        words = tuple(map(Typed, words_of(readable(text))))
        beside = st.container(horizontal=True, vertical_alignment="center", width="content", wrap=False)
    if not words:
        _draw_why_nothing(text, label, notes)
    return Box(name, label, words, beside)


def _draw_why_nothing(text: str, label: str, notes: DeltaGenerator) -> None:
    """Why a box has no word to read: nothing was typed, or too much."""
    called = f"the {label.lower()}"
    if readable(text) == text:
        notes.info(f"The {label.lower()} is empty: type at least one word.")
    else:
        limit = too_long("This app reads", MAX_CHARACTERS, len(text), "character", called=called)
        notes.warning(f"{limit} Shorten it: what you typed is still in the box.")


def _put_in_both(text: str) -> None:
    """Put a sentence into both boxes, the second in the order of another example or of what is there."""
    st.session_state["other"] = another_order(text, *EXAMPLES, typed("other"))
    put_in(text)


def _take_back(*, in_two_orders: bool) -> None:
    before = st.session_state.pop(TYPED)
    if in_two_orders:
        st.session_state["other"] = another_order(readable(before), typed("other"))
    st.session_state["text"] = before


def _way_back(*, in_two_orders: bool) -> None:
    """The button that brings back what was typed before another sentence took its place."""
    typed = st.session_state.get(TYPED)
    if typed is not None and typed != st.session_state.get("text"):
        shown = Typed(_shortened(typed))
        st.button(
            f"↩ {shown}",
            key="way_back",
            type="tertiary",
            help=f"Back to {Typed(typed):200}",
            on_click=_take_back,
            kwargs={"in_two_orders": in_two_orders},
        )


def _examples(examples: Sequence[str], *, in_two_orders: bool, in_pieces: bool) -> None:
    with st.container(horizontal=True, gap="xsmall", key="examples"):
        _way_back(in_two_orders=in_two_orders)
        for i, example in enumerate(examples):
            n_unknown = 0 if in_pieces else len(encode(words_of(example)).unknown)
            st.button(
                _shortened(example) + UNKNOWN_MARK * bool(n_unknown),
                key=f"example_{i}",
                type="tertiary",
                help=_explained(example, n_unknown),
                on_click=_put_in_both if in_two_orders else put_in,
                args=(example,),
            )


def _shortened(example: str) -> str:
    """The first words of an example: enough to know it by, and all examples fit one line."""
    words = example.split()
    return example if len(words) <= WORDS_ON_BUTTON else " ".join(words[:WORDS_ON_BUTTON]) + " …"


def _explained(example: str, n_unknown: int) -> str:
    """The whole example, and how much of it trained models do not know."""
    if not n_unknown:
        return example
    n = len(words_of(example))
    return f"{example} {UNKNOWN_MARK} Trained models do not know {n_unknown} of its {n} words."
