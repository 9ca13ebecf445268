"""Order invariance: the same words in two orders, and which Transformers can tell them apart."""

import random

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.order import OrderComparison, compare_orders, verdicts
from core.tokenizer import words_of
from pages.controls.link import menu, place
from pages.controls.picture import Point, picture, theme
from pages.controls.prose import literal
from pages.controls.sentence import BREAD, OVEN, box
from pages.controls.switches import Architecture, architecture
from viz.orders import describe_orders, orders, orders_table
from viz.verdicts import describe_verdicts, verdict_grid

DEFAULTS = {"positions": "none", "mask": "bidirectional", "layers": 1}

Words = tuple[str, ...]


@st.fragment
def page() -> None:
    """Two orders, the chosen word in both, and the verdict of every setting."""
    notes = st.container()
    st.markdown("#### Does a Transformer notice when words change places?")
    first, second = _two_orders(notes)
    switches = architecture(notes, defaults=DEFAULTS)
    if not first or not second:
        return
    word, head = _what_to_look_at(first, switches, notes)
    try:
        comparison = _compared(first, second, switches)
    except ValueError as error:
        notes.warning(f"{literal(str(error), longest=400)}\\. Make them the same, or press Shuffle.")
        return
    _chosen_word(comparison, word, head)
    _every_setting(_verdicts(first, second, switches), word)


def _two_orders(notes: DeltaGenerator) -> tuple[Words, Words]:
    left, right = st.columns(2)
    with left:
        first = box("text", "One order", notes, default=OVEN)
    with right:
        second = box("other", "Another order", notes, default=BREAD)
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


def _chosen_word(comparison: OrderComparison, word: int, head: int) -> None:
    """The weights and the output of the chosen word in both orders, one above the other."""
    rows = {
        "weights": (comparison.first_weights[head, word], comparison.second_weights[head, word]),
        "output": (comparison.first_output[word], comparison.second_output[word]),
    }
    picture(
        orders(**rows, words=comparison.words, chosen=word, theme=theme()),
        key="orders",
        alt=describe_orders(**rows, words=comparison.words, chosen=word),
        table=lambda: orders_table(rows["weights"], words=comparison.words),
    )
    weights, output = comparison.weight_differences[word], comparison.output_differences[word]
    verdict = "the same, up to rounding" if comparison.same[word] else "different"
    st.markdown(
        f"For **{literal(comparison.words[word])}** the two orders come out **{verdict}**: its weights "
        f"differ by at most {weights:.1e} in any head, its output by at most {output:.1e} in any dimension."
    )


def _every_setting(table: pd.DataFrame, word: int) -> None:
    st.markdown("#### Which settings can tell?")
    picture(
        verdict_grid(table, chosen=word, theme=theme()),
        key="verdicts",
        alt=describe_verdicts(table, chosen=word),
        table=lambda: table,
        on_click=_choose_word,
    )
    st.markdown(
        "Without positions and without a mask every word comes out the same: attention sums over a bag of "
        "words. **A causal mask is itself a hint of order.** After one causal layer the last word still "
        "agrees, because it sees the same bag; words inside the sentence see different ones. With two layers "
        "the last word sums over those and differs as well: only a first word that stayed in place, which "
        "sees nothing but itself, still agrees."
    )


def _choose_word(point: Point) -> None:
    st.session_state["word"] = point["data"] + 1


page()
