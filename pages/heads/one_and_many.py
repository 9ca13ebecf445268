"""One and many: the same sentence read by the models with 1, 2, 4 and 8 heads."""

import numpy as np
import pandas as pd
import streamlit as st

from core.learning.collection.members import TASK_OF_MASK
from core.measures.heads.head_counts import PHENOMENA, HeadCounts, read_with_each, records_table, with_each
from core.programs import attention_program
from pages.controls.memory import remembered
from pages.controls.picture import Point, picture, theme
from pages.controls.screen import columns, room
from pages.controls.sentence import marked
from pages.controls.switches import Architecture
from pages.controls.weights import absent_of, note_absent
from pages.shell import Program, Scene
from viz.bar_rows import bar_rows, describe_bar_rows
from viz.head_grid import describe_head_grid, head_grid
from viz.matrices import describe_heatmap, heatmap
from viz.tables import heads_table, matrix_table
from viz.text import counted
from viz.tiles import tile_at
from viz.units import per_cent

GRID, MATRIX = 550, 400
"""Pixels of the two figures."""

UNTRAINED = (
    "These weights are random: no two heads attend alike, because each has projections of its own, and none "
    "has learned anything. Choose trained weights to see what several heads learn."
)

ASKED = (
    "*Agreement*: is the verb singular or plural, as its subject is? *Names*: is a name that occurred "
    "earlier predicted again?"
)

Words = tuple[str, ...]


def one_and_many(scene: Scene) -> Program | None:
    """All heads of the four models as tiles, a row for each model, and the chosen head opened beside them."""
    switches, layer = scene.switches, scene.layer
    missing = absent_of(switches.source, with_each(switches.config))
    found = _read(scene.words, switches, layer, missing)
    note_absent(scene.notes, missing)
    scene.name_unknown(found.unknown)
    n_heads = switches.config.n_heads
    chosen = (found.counts.index(n_heads), scene.head) if n_heads in found.counts else None
    left, right = columns([4, 3])
    with left:
        _tiles(found, chosen)
        _answers(switches)
    with right:
        if chosen is None:
            st.markdown(f"There is no model with {counted(n_heads, 'head')} and these switches.")
        else:
            _matrix(found, chosen, marked(scene.words, found.unknown))
    return None if chosen is None else Program(lambda: attention_program(scene.subject))


@remembered(16)
def _read(words: Words, switches: Architecture, layer: int, missing: str) -> HeadCounts:
    return read_with_each(words, switches.config, source=switches.source, seed=switches.seed, layer=layer)


def _tiles(found: HeadCounts, chosen: tuple[int, int] | None) -> None:
    n_models, n_heads = found.patterns.shape[:2]

    def open_head(point: Point) -> None:
        tile = tile_at(point["x"], point["y"], n_layers=n_models, n_heads=n_heads)
        if tile is not None and tile[1] < found.counts[tile[0]]:
            st.session_state["heads"], st.session_state["head"] = found.counts[tile[0]], tile[1] + 1

    rows = [counted(count, "head") for count in found.counts]
    picture(
        head_grid(
            found.patterns, theme=theme(), selected=chosen, allowed=found.allowed, rows=rows, size=room(GRID)
        ),
        key="counts",
        alt=describe_head_grid(found.patterns, rows=rows),
        table=lambda: _table(found),
        on_click=open_head,
    )


def _table(found: HeadCounts) -> pd.DataFrame:
    """A row for each head, and the model it belongs to."""
    table = heads_table(found.patterns).rename(columns={"layer": "heads"})
    table["heads"] = table["heads"].map(dict(enumerate(found.counts, start=1)))
    return table[table["head"] <= table["heads"]].reset_index(drop=True)


def _matrix(found: HeadCounts, chosen: tuple[int, int], labels: Words) -> None:
    pattern = found.patterns[chosen]
    title = f"{counted(found.counts[chosen[0]], 'head')}: head {chosen[1] + 1}"
    picture(
        heatmap(pattern, labels, title=title, theme=theme(), allowed=found.allowed, size=room(MATRIX)),
        key="counts_head",
        alt=describe_heatmap(pattern, labels, title=title, allowed=found.allowed),
        table=lambda: matrix_table(np.asarray(pattern), labels, allowed=found.allowed),
    )


def _answers(switches: Architecture) -> None:
    """How well the models do what they have learned, if they have learned anything."""
    table = records_table(switches.config, source=switches.source)
    if table.empty:
        st.markdown(UNTRAINED)
        return
    task = TASK_OF_MASK[switches.config.mask].name
    st.markdown(_told(table, task))
    _abilities(table, task, switches.config.n_heads)


def _abilities(table: pd.DataFrame, task: str, n_heads: int) -> None:
    """How many of their questions the four models answer right."""
    look = theme()
    rows = {task: look.muted, **dict.fromkeys(PHENOMENA, look.query)}
    shares = table[["task", *PHENOMENA]].to_numpy().T
    columns = [counted(int(count), "head") for count in table["heads"]]
    chosen = list(table["heads"]).index(n_heads) if n_heads in set(table["heads"]) else None
    picture(
        bar_rows(shares, rows, columns, top=1, theme=look, chosen=chosen),
        key="abilities",
        alt=describe_bar_rows(shares, list(rows), columns, what="Accuracy on unseen sentences"),
        table=lambda: table.rename(columns={"task": task}),
    )


def _told(table: pd.DataFrame, task: str) -> str:
    """What the numbers say, whatever they are: how much the task and each question depend on the heads."""
    counts = ", ".join(str(int(count)) for count in table["heads"])
    found = "; ".join(
        f"{named} {', '.join(per_cent(share) for share in table[name])}"
        for name, named in (("task", f"{task} prediction"), *((name, f"*{name}*") for name in PHENOMENA))
    )
    return (
        f"The models have equally many weights and differ in their number of heads. Accuracy with {counts} "
        f"heads: {found}. {ASKED} Click a tile to open its head."
    )
