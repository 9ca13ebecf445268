"""The words that trained models know: listed beside the sentence box, and suggested for unknown ones."""

from collections.abc import Sequence
from itertools import islice
from operator import itemgetter

import streamlit as st

from core.text.language import kinds_expected, nearest, vocabulary, words_by_kind
from core.text.tokenizer import with_word
from pages.contract.prose import Typed, literal, plain
from pages.contract.real import real_button
from pages.state.link import change_link, current_state

MOST_ASKED = 2
"""Greatest number of unknown words with a suggestion: all of them stand in one line."""

RANDOM = "Use random weights"


def list_known_words() -> None:
    """List all words by kind behind a button; they are sent only while it is open."""
    shown = st.popover("Known words", type="tertiary", key="known_words", on_change="rerun")
    if shown.open:
        with shown:
            st.markdown(f"Trained models know {len(vocabulary())} words of a small artificial English:")
            for kind, words in words_by_kind().items():
                st.markdown(f"**{kind}**: {', '.join(map(literal, words))}")


def propose(words: Sequence[Typed], unknown: Sequence[int], *, real: str, random: bool) -> None:
    """Suggest weights that take any word, and for unknown words the nearest known one of the same kind.

    The weights of the model named `real` come first if the view has real models and it is there; `random`
    ones come last, if the view has those. Nearness is measured by spelling, among words of a kind that can
    follow the word before.
    """
    if real and unknown and (button := real_button(real)) is not None:
        asked = (button.changes,)
        st.button(button.label, key=button.key, type="tertiary", on_click=change_link, args=asked)
    for at, (word, known) in enumerate(proposals(words, unknown)):
        st.button(
            f"{literal(known)} for {word}?",
            key=f"known_{at}",
            type="tertiary",
            on_click=_replace,
            args=(plain(word), known),
        )
    if random:
        st.button(
            RANDOM, key="known_random", type="tertiary", on_click=change_link, args=({"model": "random"},)
        )


def proposals(words: Sequence[Typed], unknown: Sequence[int]) -> tuple[tuple[Typed, str], ...]:
    """Return unknown words, each with the nearest known word of a kind that can stand in its position."""
    first = {words[at]: at for at in reversed(unknown)}
    asked = sorted(first.items(), key=itemgetter(1))
    near = ((word, nearest(str(word), 1, kinds_expected(words, at))) for word, at in asked)
    return tuple(islice(((word, found[0]) for word, found in near if found), MOST_ASKED))


def _replace(word: str, known: str) -> None:
    """Replace a word by a known one; a second box that nobody has changed follows the first."""
    texts = {name: st.session_state.get(name, "") for name in ("text", "other")}
    if "other" not in current_state().chosen:
        del texts["other"]
    change_link({name: with_word(text, word, known) for name, text in texts.items()})
