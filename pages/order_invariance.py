"""Order invariance: the same words in two orders, and which Transformers can tell them apart."""

import random

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.order.verdicts import OrderComparison, compare_orders, verdicts
from core.learning.weights import UnavailableError
from core.programs import orders_program
from core.text.tokenizer import words_of
from pages.controls.code import code, subject
from pages.controls.link import menu, place
from pages.controls.prose import literal
from pages.controls.sentence import BREAD, OVEN, box, mark_unknown
from pages.controls.switches import Architecture, architecture
from pages.order_views.exchange import who_did_it
from pages.order_views.pictures import chosen_word, every_setting

DEFAULTS = {"positions": "none", "mask": "bidirectional"}

Words = tuple[str, ...]


@st.fragment
def page() -> None:
    """Two orders, the chosen word in both, the verdict of every setting, and what trained models can tell."""
    notes = st.container()
    st.markdown("#### Does a Transformer notice when words change places?")
    first, second = _two_orders(notes)
    switches = architecture(notes, defaults=DEFAULTS)
    if not first or not second:
        return
    word, head = _what_to_look_at(first, switches, notes)
    try:
        comparison = _compared(first, second, switches)
        table = _verdicts(first, second, switches)
    except UnavailableError as error:
        notes.warning(str(error))
        return
    except ValueError as error:
        problem = literal(str(error), longest=400)
        notes.warning(f"{problem[:1].upper()}{problem[1:]}\\. Make them the same, or press Shuffle.")
        return
    if first == second:
        notes.info("Both boxes hold the same order, so nothing can differ: change one of them.")
    mark_unknown(first, comparison.unknown)
    chosen_word(comparison, word, head, switches.config.n_layers)
    every_setting(table, word, trained=switches.weights.trained)
    who_did_it(first, second, switches.config, notes)
    looked_at = subject(first, switches, layer=switches.config.n_layers - 1, head=head)
    code(
        lambda: orders_program(looked_at, second, word),
        prints="the weights of the chosen word in both orders",
    )


def _two_orders(notes: DeltaGenerator) -> tuple[Words, Words]:
    left, right = st.columns(2)
    with left:
        first = box("text", "First order", notes, default=OVEN)
    with right:
        second = box("other", "Second order", notes, default=BREAD)
    return first, second


def _what_to_look_at(first: Words, switches: Architecture, notes: DeltaGenerator) -> tuple[int, int]:
    """The word, the last one unless chosen, and the head, both counted from 0."""
    with st.container(horizontal=True, vertical_alignment="center", key="inline_word"):
        word = place("word", "Word", max(1, len(first)), notes=notes, unchosen="last")
        head = menu("head", "Head", range(1, switches.config.n_heads + 1), 1, notes=notes)
        st.button("Shuffle the words", on_click=_shuffle, icon=":material/shuffle:")
    return len(first) - 1 if word is None else word, head - 1


def _shuffle() -> None:
    """Put the words of the first box into the second in an order that differs, if there is one."""
    words = words_of(st.session_state["text"])
    shuffled = words
    while shuffled == words and len(set(words)) > 1:
        shuffled = tuple(random.sample(words, len(words)))
    st.session_state["other"] = " ".join(shuffled)


@st.cache_resource(max_entries=64, show_spinner=False)
def _compared(first: Words, second: Words, switches: Architecture) -> OrderComparison:
    return compare_orders(first, second, switches.config, source=switches.source, seed=switches.seed)


@st.cache_resource(max_entries=64, show_spinner=False)
def _verdicts(first: Words, second: Words, switches: Architecture) -> pd.DataFrame:
    return verdicts(first, second, switches.config, source=switches.source, seed=switches.seed)


page()
