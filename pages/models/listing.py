"""A row for each real model: what it is, what it needs, whether it is in memory, and a link that opens it."""

from collections.abc import Iterator
from urllib.parse import urlencode

import streamlit as st

from core.device import choose_device, describe
from core.pretrained import FAMILIES, hub
from core.sources.pretrained import about, how_many, is_large, is_loaded, is_there, there, title_of
from pages.controls.hub import offer_hub
from pages.controls.prose import literal
from pages.controls.real import REAL
from pages.controls.sizes import parameters
from pages.controls.table import table
from pages.shell import Scene
from viz.text import counted
from viz.units import memory

HEAD = ("Model", "Family", "Parameters", "On disk", "Memory needed", "State", "Open")
UNKNOWN = "–"
NOT_THERE = "not there: `make pretrained` fetches it, 83 MB"
UNREADABLE = "cannot be read: open it to see why"
LOADED = "in memory"
LARGE_ONE = "large: loaded when somebody asks for it"
READY = "loaded when somebody opens it"

FOLDERS = (
    "A Hugging Face folder in `models/`, or where the server's operator points `ATTENTION_LAB_MODELS`, is "
    "found by itself if it is of one of these families: {}. Its weights run in our own modules; safetensors "
    "only, and no code."
)
HUB_IS_OFF = (
    "Fetching from the hub is switched off on this server: its operator names what may be fetched in "
    "`ATTENTION_LAB_HUB`."
)


def listing(scene: Scene) -> None:
    """The models that are there, and how others get there."""
    del scene  # nothing on this page depends on a model or a sentence
    table(HEAD, list(_rows()))
    where = describe(choose_device())
    st.markdown(
        f"The server keeps {counted(how_many(), 'model')} in memory at most, on {where}, for all visitors "
        "together: the one used least recently leaves first."
    )
    st.markdown(FOLDERS.format(", ".join(dict.fromkeys(family.title for family in FAMILIES.values()))))
    if hub.is_on():
        offer_hub()
    else:
        st.markdown(HUB_IS_OFF)


def _rows() -> Iterator[tuple[str, ...]]:
    for name in there():
        title, known = title_of(name), about(name)
        link = f"[Read a sentence](/?{urlencode({'model': REAL, 'real': title})})"
        sizes = (UNKNOWN,) * 4
        if known is not None:
            sizes = (
                known.family,
                parameters(known.n_parameters),
                memory(known.on_disk),
                memory(known.in_memory),
            )
        yield f"**{literal(title)}**", *sizes, _state(name, is_known=known is not None), link


def _state(name: str, *, is_known: bool) -> str:
    """Where a model is."""
    if not is_there(name):
        return NOT_THERE
    if not is_known:
        return UNREADABLE
    if is_loaded(name):
        return LOADED
    return LARGE_ONE if is_large(name) else READY
