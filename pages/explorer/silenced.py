"""The heads that are knocked out: chosen in a menu, or by a click on their bars."""

import streamlit as st

from core.measures.heads.each_head import longest
from core.measures.prediction import Head
from core.text.limits import too_long
from pages.controls.arrival import put
from pages.controls.link import several
from pages.controls.picture import Point
from pages.controls.prose import literal
from pages.shell.scene import Scene
from viz.head_effects import name_of

SILENCED = "silenced"
ALONE = "Every head of {} is knocked out alone in"
OF_ANY_LENGTH = "Heads chosen in the menu are knocked out of a sentence of any length."
KNOCKING_OUT = "Knocking out every head alone …"
OF_THE_INTACT_MODEL = "The weights in the picture are those of the intact model."


def choose_silenced(scene: Scene) -> dict[str, Head]:
    """The heads chosen in the menu, by their names in the order of these."""
    config = scene.switches.config
    heads = {
        name_of(layer + 1, head + 1): (layer, head)
        for layer in range(config.n_layers)
        for head in range(config.n_heads)
    }
    many = scene.switches.weights.one is not None
    chosen = several(SILENCED, list(heads), notes=scene.notes, many=many)
    return {name: heads[name] for name in sorted(chosen)}


def why_not_each_head(scene: Scene) -> str:
    """Why not every head is knocked out alone; empty where it is. Of a long sentence that takes too long."""
    one, most = scene.switches.weights.one, longest(scene.switches.config)
    if len(scene.words) <= most:
        return ""
    assert one is not None, "sentences of the small language are short enough"
    return f"{too_long(ALONE.format(literal(one.title)), most, len(scene.words), scene.unit)} {OF_ANY_LENGTH}"


def knock_out_or_put_back(point: Point) -> None:
    """What a click on the bar of a head does."""
    name = name_of(*point["data"])
    silenced = st.session_state.get(SILENCED) or []
    put(SILENCED, [one for one in silenced if one != name] if name in silenced else sorted([*silenced, name]))


def without(silenced: dict[str, Head]) -> str:
    """What a run without these heads is called; empty where none is missing."""
    return f"without {', '.join(silenced)}" if silenced else ""
