"""Knock out: a source word, a head or a layer of attention to the source; what is translated without it?"""

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import streamlit as st

from core.learning.collection.translators import TranslatorConfig
from core.measures.translation.knock_out import KnockOut, hidden_effects, translate_without
from core.programs.translation import knock_out_program
from core.text.translation import END
from pages.controls.arrival import put
from pages.controls.link import several, word_menu
from pages.controls.memory import remembered
from pages.controls.picture import picture, theme
from pages.controls.prose import literal
from pages.controls.screen import columns, room
from pages.shell import Program, Scene
from pages.translation.marked import marked
from pages.translation.said import Said, attends, said
from viz.alignment import alignment, describe_alignment
from viz.head_effects import name_of
from viz.tables import matrix_table

WIDTH = 560
ROLES = ("written ↓", "hidden →")
NEEDED = 0.05
"""A hidden word that takes less than this from every word is not needed."""


def knock_out(scene: Scene) -> Program | None:
    """What each source word is needed for, and the translation without what is chosen."""
    here = said(scene)
    pair = here.translator.pair
    if not attends(here):
        return None
    with scene.row:
        missing = _missing(here)
    intact, without = (_translated(pair, here.plain, one) for one in (KnockOut(), missing))
    left, right = columns([5, 4])
    with left:
        _effects(here, intact)
    with right:
        st.markdown(f"**With everything in place**  \n{' '.join(map(literal, intact))}")
        if missing == KnockOut():
            part = "a head" if here.translator.is_transformer else "the attention"
            st.markdown(f"Hide a word, click a column or knock out {part}: the translation is made again.")
        else:
            st.markdown(f"**Without {_named(here, missing)}**  \n{marked(without, intact)}")
        st.markdown(_told(here, intact))
    return Program(lambda: knock_out_program(pair, here.plain, missing))


def _missing(here: Said) -> KnockOut:
    """What is chosen to be missing: at first the source word that is attended to most is not."""
    notes = here.scene.notes
    word = word_menu("hidden", here.words, notes=notes, unchosen="none", width=240)
    cut = several("cut", _parts(here), notes=notes)
    heads = {name: head for name, head in _heads(here).items() if name in cut}
    layers = {i for i in range(here.translator.config.n_layers) if _whole(here, i) in cut}
    return KnockOut(word, frozenset(heads.values()), frozenset(layers))


def _parts(here: Said) -> list[str]:
    """The heads, layer.head, and whole layers of cross-attention; a recurrent decoder has one attention."""
    whole = [_whole(here, i) for i in range(here.translator.config.n_layers)]
    return [*_heads(here), *whole] if here.translator.is_transformer else whole


def _heads(here: Said) -> dict[str, tuple[int, int]]:
    config = here.translator.config
    places = product(range(config.n_layers), range(config.n_heads))
    return {name_of(i + 1, j + 1): (i, j) for i, j in places} if here.translator.is_transformer else {}


def _whole(here: Said, layer: int) -> str:
    return f"layer {layer + 1}" if here.translator.is_transformer else "attention"


@remembered(256)
def _translated(pair: TranslatorConfig, words: tuple[str, ...], missing: KnockOut) -> tuple[str, ...]:
    return translate_without(pair, words, missing)


@remembered(64)
def _hidden(pair: TranslatorConfig, words: tuple[str, ...], target: tuple[str, ...]) -> np.ndarray:
    return hidden_effects(pair, words, target)


def _named(here: Said, missing: KnockOut) -> str:
    """What is missing, in words."""
    named = [_called(here, missing.word)] if missing.word is not None else []
    named += [f"head {name}" for name, head in _heads(here).items() if head in missing.heads]
    of_layer = "cross-attention of " if here.translator.is_transformer else ""
    named += [f"{of_layer}{_whole(here, i)}" for i in sorted(missing.layers)]
    return ", ".join(named)


def _called(here: Said, at: int) -> str:
    """A source word as sentences name it."""
    return f"*{here.words[at]}*{_place(here.words, at)}"


def _place(words: Sequence[str], at: int) -> str:
    """Which of them is meant, if there are several of this word."""
    return f" ({at + 1})" if words.count(words[at]) > 1 else ""


def _effects(here: Said, intact: tuple[str, ...]) -> None:
    """What every word of the translation loses when one source word is hidden."""
    found, asked = _hidden(here.translator.pair, here.plain, intact), (*intact, END)
    exact = here.reference.translation
    links = [(t, s) for s, t in exact.alignment] if exact is not None and exact.words == intact else []
    told: dict[str, Any] = {"title": "Probability lost when a word is hidden", "exact": links}
    look: dict[str, Any] = {"signed": True, "roles": ROLES, "theme": theme(), "size": room(WIDTH)}
    picture(
        alignment(found, asked, here.labels, **told, **look),
        key="hidden_effects",
        alt=describe_alignment(found, asked, here.labels, **told),
        table=lambda: matrix_table(found, asked, keys=here.labels),
        on_click=lambda point: put("hidden", point["x"] + 1),
    )


def _told(here: Said, intact: tuple[str, ...]) -> str:
    """Which hidden word costs most, and which ones nothing."""
    found = _hidden(here.translator.pair, here.plain, intact)
    target, source = (int(at) for at in np.unravel_index(found.argmax(), found.shape))
    written = (*intact, END)
    needless = [_called(here, at) for at in range(found.shape[1]) if found[:, at].max() < NEEDED]
    spared = f" Without {', '.join(needless)} hardly anything changes." if needless else ""
    return (
        "The picture is of the whole model, with one source word at a time hidden. A row is a word of the "
        "translation, a column a source word that the decoder may not attend to. The "
        "number is by how much the word becomes less probable after the same words. The largest: "
        f"without {_called(here, source)} **{literal(written[target])}**{_place(written, target)} loses "
        f"{found[target, source]:.2f}.{spared} Hidden from the decoder a word still reaches it through the "
        "states of the words around it."
    )
