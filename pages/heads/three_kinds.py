"""Three kinds: standard, narrow and wide heads, their matrices to scale, their parameters and operations."""

import pandas as pd
import streamlit as st

from core.learning.collection.members import HEADS
from core.measures.heads.head_kinds import distance_to_torch, kinds_table
from core.programs.heads import kinds_program
from pages.controls.chart import chart
from pages.controls.cited import footnote
from pages.controls.link import menu
from pages.controls.picture import picture, theme
from pages.controls.screen import columns, room
from pages.shell import Program, Scene
from viz.head_blocks import Kind, describe_head_blocks, head_blocks
from viz.theme import Theme
from viz.units import distance, magnitude_ticks


def three_kinds(scene: Scene) -> Program:
    """The matrices to scale; below them, parameters and operations for every number of heads."""
    n_heads, notes = scene.switches.config.n_heads, scene.notes
    with scene.row:
        d = menu("d_model", notes=notes, width=180)
        n = menu("n", notes=notes, width=180)
    table = _table(d, n)
    own = table[table["heads"] == n_heads].set_index("kind")
    kinds = []
    for name, matrix in own["matrix"].items():
        height, width = map(int, matrix.split(" × "))
        kinds.append(Kind(name=name, shape=(height, width), n_heads=n_heads))
    picture(
        head_blocks(kinds, d_model=d, theme=theme(), size=room()),
        key="blocks",
        alt=describe_head_blocks(kinds, d_model=d),
        table=lambda: own,
    )
    left, right = columns(2)
    with left:
        _costs(table, n_heads, "parameters", f"parameters of one layer, d = {d}")
    with right:
        _costs(table, n_heads, "operations", f"operations on {n:,} words")
    st.markdown(_told(own, n_heads, d))
    footnote("E6")
    return Program(lambda: kinds_program(d_model=d, n_heads=n_heads, n_words=n))


@st.cache_data(max_entries=64, show_spinner=False)
def _table(d: int, n: int) -> pd.DataFrame:
    return kinds_table(HEADS, d_model=d, n_words=n)


@st.cache_data(max_entries=64, show_spinner=False)
def _distance(d: int, n_heads: int) -> float:
    return distance_to_torch(d_model=d, n_heads=n_heads)


def _colours(look: Theme) -> dict[str, str]:
    return {"standard": look.query, "narrow": look.value, "wide": look.key}


def _costs(table: pd.DataFrame, n_heads: int, what: str, title: str) -> None:
    """One kind of cost against the number of heads, both on logarithmic axes."""
    chart(
        table,
        key=what,
        what=title.capitalize(),
        x="heads",
        y=what,
        by="kind",
        colours=_colours(theme()),
        x_title="heads k",
        y_title=title,
        x_ticks={float(k): str(k) for k in HEADS},
        y_ticks=magnitude_ticks(table[what]),
        log=True,
        mark=n_heads,
        mark_name=f"k = {n_heads}",
    )


def _told(own: pd.DataFrame, n_heads: int, d: int) -> str:
    """What the three kinds cost for the number of heads chosen."""
    counts = ", ".join(f"{kind} {parameters:,}" for kind, parameters in own["parameters"].items())
    return (
        "**Standard heads cost the same however many there are**: each projects the whole vector to d/k "
        "dimensions. A narrow head sees only its own slice of the vector; a wide head keeps all d "
        f"dimensions. Parameters at k = {n_heads}: {counts}. Our standard heads and torch's "
        f"`nn.MultiheadAttention` with the same weights differ by at most {distance(_distance(d, n_heads))}."
    )
