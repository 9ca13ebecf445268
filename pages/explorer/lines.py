"""Lines: words on two sides, lines as thick as the weights; hovering a word isolates its lines."""

from dataclasses import asdict
from pathlib import Path

import streamlit as st

from pages.controls.link import choice
from pages.controls.picture import numbers, theme
from pages.explorer.prediction import prediction
from pages.explorer.program import attention as attention_program
from pages.explorer.shown import HEAD, Shown, choose_shown
from pages.explorer.sink import sink_note
from pages.shell.attention import Attention
from pages.shell.program import Program
from pages.shell.scene import Scene
from viz.lines import describe_lines, strongest
from viz.tables import matrix_table

_HERE = Path(__file__)
_lines = st.components.v2.component(
    "attention_lines",
    js=_HERE.with_suffix(".js").read_text("utf-8"),
    css=_HERE.with_suffix(".css").read_text("utf-8"),
)


def lines(scene: Scene) -> Program:
    """A head, a mean or a rollout as lines, thinned to the share of attention the reader asks for."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        shown = choose_shown(scene)
        mass = choice("mass", label=_share(scene), notes=scene.notes)
    _draw(shown, scene.attention, mass / 100)
    if shown.kind == HEAD:
        sink_note(scene)
    st.caption(
        "The thicker and stronger a line, the larger the attention weight. Point at a word, or reach it with "
        "the Tab and arrow keys, to see its lines alone; click it or press Enter to keep them."
    )
    numbers("lines", lambda: matrix_table(shown.pattern, scene.attention.labels))
    program = prediction(scene)
    return program or attention_program(scene)


def _share(scene: Scene) -> str:
    """What the menu sets a share of: of what a row has left, where special tokens are hidden."""
    query = "word" if scene.pieces is None else "query"
    hides_some = scene.rows is not None and sum(map(len, scene.rows.groups)) < len(scene.words)
    left = " to the keys shown" * hides_some
    return f"Show the keys that hold this share of each {query}'s attention{left} (%)"


def _draw(shown: Shown, attention: Attention, mass: float) -> None:
    """The lines that hold this share of what the weights of each row sum to."""
    kept = strongest(shown.pattern, mass=mass)
    _lines(
        key="lines",
        data={
            "words": list(attention.labels),
            "lines": kept.to_numpy().tolist(),
            "alt": describe_lines(kept, attention.labels, title=shown.title, unit=attention.unit),
            "colours": {name: value for name, value in asdict(theme()).items() if isinstance(value, str)},
        },
    )
