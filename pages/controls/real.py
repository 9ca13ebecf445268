"""Real models among the weights: which there are, what each is, and what cannot be changed of it."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, suppress

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.pretrained.library import About
from core.sources import OneModel, UnavailableError, find
from core.sources.pretrained import (
    USUAL,
    about,
    is_large,
    is_loaded,
    is_there,
    load_large,
    source_name,
    there,
    title_of,
)
from pages.controls.arrival import put, set_aside
from pages.controls.hub import offer_hub
from pages.controls.link import menu
from pages.controls.prose import literal
from pages.controls.sizes import described
from pages.controls.whole import change

REAL = "real"
"""What they are called among the weights, and in the link."""

LARGE = (
    "That is a large share of the memory that is free on this server: the model is loaded only when somebody "
    "asks for it."
)

KEPT_ELSEWHERE = "This view shows models of the small language. {} is chosen again on views that can show it."

ENCODER = (
    "It is an encoder with a decoder. Shown is its encoder, which reads one sentence; what its decoder "
    "writes and attends to is on the page *Translation*, under *cross-attention*."
)

WHY_FIXED = {
    "n_heads": "{} was trained with {} heads: any other number would cut its vectors into others.",
}
"""Why a switch cannot be changed; the model and the value are filled in."""

FIXED = "{} was trained with this alone, and has no weights for anything else."


def is_asked_for(control: str = "model") -> bool:
    """Whether the weights are to be those of a real model, though their control may not be drawn yet."""
    return bool(st.session_state.get(control, st.query_params.get(control)) == REAL)


def real_source(notes: DeltaGenerator) -> str:
    """The name of the source that has the model chosen in a menu, loaded where it can be."""
    source = source_name(real_model(there(), notes))
    one = find(source).one
    if one is not None and not one.whole:
        st.caption(ENCODER)
    offer_hub()
    return source


def real_model(offered: Sequence[str], notes: DeltaGenerator) -> str:
    """The name of the model chosen in a menu of those `offered`, loaded where it can be.

    The menu and the link call models as all sentences do.
    """
    names = {title_of(name): name for name in reversed(offered)}
    titles = list(names)[::-1]
    name = names[menu("real", options=titles, notes=notes, width="stretch")]
    known = about(name)
    if known is not None:
        _load(name, known)
    return name


def _load(name: str, known: About) -> None:
    """Say what the model is, and then load it."""
    st.caption(described(known))
    if is_large(name):
        _load_if_asked(name)
    if not is_loaded(name):
        with _loading(name):
            find(source_name(name))


def _load_if_asked(name: str) -> None:
    """A button that loads a large model, and goes once it is pressed."""
    place = st.empty()
    with place.container():
        st.caption(LARGE)
        asked = st.button("Load it", icon=":material/memory:", key="load_large")
    if asked:
        place.empty()
        with _loading(name), suppress(UnavailableError):  # the page says why it cannot be
            load_large(name)


def _loading(name: str) -> AbstractContextManager[None]:
    return st.spinner(f"Loading {literal(title_of(name))}")


def is_kept(control: str = "model") -> bool:
    """Whether a real model has been chosen in a control, here or elsewhere."""
    return is_asked_for(control) or set_aside(control) == REAL


def say_kept_elsewhere(notes: DeltaGenerator, control: str = "model", usual: str = USUAL) -> None:
    """Say that the real model chosen elsewhere, if one is, is not shown here, and not forgotten.

    `usual` is the one that is chosen where the visitor has named none.
    """
    if is_kept(control):
        notes.info(KEPT_ELSEWHERE.format(literal(st.session_state.get("real", title_of(usual)))))


def offer_real() -> None:
    """A button that has the sentence read by the first real model that is there, if one is."""
    names = [name for name in there() if is_there(name)]
    if names:
        st.button(
            f"Read it with {literal(title_of(names[0]))}, a real model that takes any word",
            key="known_real",
            type="tertiary",
            on_click=change,
            args=(_choose, names[0]),
        )


def _choose(name: str) -> None:
    put("model", REAL)
    if name != USUAL:
        put("real", title_of(name))


def why_fixed(one: OneModel, field: str) -> str:
    """Why a switch cannot be changed for this model."""
    return WHY_FIXED.get(field, FIXED).format(literal(one.title), getattr(one.config, field))
