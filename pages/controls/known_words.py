"""The words that trained models know: listed beside the sentence box, and proposed for unknown ones."""

from collections.abc import Sequence
from itertools import islice

import streamlit as st

from core.sources.pretrained import USUAL, is_there, there, title_of
from core.text.language import nearest, vocabulary, words_by_kind
from core.text.tokenizer import with_word
from pages.contract.items import Button
from pages.controls.arrival import put
from pages.controls.page_rerun import change, change_link
from pages.controls.prose import Typed, literal, plain
from pages.controls.real import REAL

MOST_ASKED = 3
"""Greatest number of unknown words that have proposals."""

MANY_UNKNOWN = 0.2
"""Share of unknown words above which a real model is proposed."""

SIMILAR_SPELLING = "Known words of similar spelling, whatever they mean:"
RANDOM = "Use random weights, which take any word"


def list_known_words() -> None:
    """All words by kind, behind a button; they are sent only while it is open."""
    shown = st.popover("Known words", type="tertiary", key="known_words", on_change="rerun")
    if shown.open:
        with shown:
            st.markdown(f"Trained models know {len(vocabulary())} words of a small artificial English:")
            for kind, words in words_by_kind().items():
                st.markdown(f"**{kind}**: {', '.join(map(literal, words))}")


def propose(words: Sequence[Typed], unknown: Sequence[int], *, real: bool, random: bool) -> None:
    """Propose for unknown words the nearest that trained models know, and weights that take any word.

    What is near is so in its spelling: a word that is spelt rightly is not corrected by it. Those of a
    `real` model are proposed where the view has such models and many words are unknown, `random` ones where
    it has those.
    """
    with st.container(horizontal=True, gap="xsmall", key="examples_known"):
        asked = dict.fromkeys(words[at] for at in unknown)
        proposals = ((word, near) for word in asked if (near := nearest(str(word))))
        for at, (word, near) in enumerate(islice(proposals, MOST_ASKED)):
            if at == 0:
                st.caption(SIMILAR_SPELLING, width="content")
            for rank, known in enumerate(near):
                st.button(
                    f"{literal(known)} for {word}",
                    key=f"known_{at}_{rank}",
                    type="tertiary",
                    on_click=change,
                    args=(_replace, plain(word), known),
                )
        if real and len(unknown) > MANY_UNKNOWN * len(words):
            _offer_real()
        if random:
            st.button(RANDOM, key="known_random", type="tertiary", on_click=put, args=("model", "random"))


def real_button() -> Button | None:
    """A button that has the sentence read by the first real model that is there, if one is."""
    names = [name for name in there() if is_there(name)]
    if not names:
        return None
    title = title_of(names[0])
    return Button(
        f"Read it with {literal(title)}, a real model that takes any word",
        {"model": REAL} | ({} if names[0] == USUAL else {"real": title}),
        key="known_real",
        tertiary=True,
    )


def _offer_real() -> None:
    button = real_button()
    if button is not None:
        asked = (button.changes,)
        st.button(button.label, key=button.key, type="tertiary", on_click=change_link, args=asked)


def _replace(word: str, known: str) -> None:
    for box in ("text", "other"):
        if box in st.session_state:
            st.session_state[box] = with_word(st.session_state[box], word, known)
