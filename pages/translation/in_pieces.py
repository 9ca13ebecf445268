"""Cross-attention of a pretrained encoder–decoder: what it writes, piece by piece, and what it attends to."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import streamlit as st

from core.measures.translation.in_pieces import MOST_WRITTEN, InPieces, attending_in_pieces, share_of
from core.programs.pairs import pretrained_pair_program
from core.sources.pairs import tasks_of
from core.sources.pretrained import title_of
from pages.controls.arrival import put
from pages.controls.memory import remembered_within
from pages.controls.picture import Point, picture, theme
from pages.controls.prose import Typed, in_units, literal
from pages.controls.screen import columns, room
from pages.controls.sentence import typed
from pages.shell import Program, Scene
from pages.translation.begins import begins_with
from pages.translation.kinds import CROSS, DECODER, ENCODER, ROWS, choose_kind, roles_of
from pages.translation.real_pair import RealPair
from viz.alignment import alignment, describe_alignment
from viz.head_grid import describe_head_grid, head_grid
from viz.tables import heads_table, matrix_table
from viz.text import counted
from viz.tiles import tile_at
from viz.units import per_cent

WIDTH, HEADS_WIDTH = 560, 420

ROOM = 128 * 2**20
"""Bytes of what is kept for all visitors; 12 × 16 heads take 13 MB for 64 pieces and a source of 64."""

MOST_TASKS = 6
"""So many tasks are named; T5 itself has four."""

LONGEST_QUOTE = 400
"""Characters of what was written; the figure has all of it."""

GREEDY = (
    f"Written greedily, the likeliest piece each time, {MOST_WRITTEN} at most: beams, penalties and lengths "
    "that the folder may ask for are left aside."
)
A_COLUMN = "A column is a piece of the source, and a row sums to 1."
A_SQUARE = "Each small square is one attention head: click it to open the head."


@dataclass(frozen=True)
class _Shown:
    """What was written, and the kind of attention whose weights are shown: those of `layers`."""

    scene: Scene
    name: str
    found: InPieces
    kind: str

    @property
    def layers(self) -> np.ndarray:
        """The weights of every head, (layer, head, query, key)."""
        found = self.found.attending
        return {CROSS: found.cross, ENCODER: found.encoder, DECODER: found.decoder}[self.kind]

    @property
    def pattern(self) -> np.ndarray:
        """Those of the chosen head."""
        return np.asarray(self.layers[self.scene.layer, self.scene.head])

    @property
    def sources(self) -> tuple[str, ...]:
        """The pieces of the source as a figure names them."""
        pieces = self.scene.pieces
        assert pieces is not None, "a real model reads pieces"
        return self.scene.marked(pieces.unknown)

    @property
    def queries(self) -> Sequence[str]:
        """What rows stand for."""
        found = self.found.attending
        return {CROSS: found.written, ENCODER: self.sources, DECODER: found.fed}[self.kind]

    @property
    def keys(self) -> Sequence[str]:
        """What columns stand for."""
        return self.found.attending.fed if self.kind == DECODER else self.sources


def attention_in_pieces(scene: Scene) -> Program:
    """One head's weights on the left, what was written and all heads on the right."""
    assert isinstance(scene.switches, RealPair), "others are translators of the collection"
    scene.name_unknown(())
    _name_tasks(scene, scene.switches.name)
    with scene.row:
        kind = choose_kind(scene.notes, on_change=_first_head)
        begins = begins_with()
    name = scene.switches.name
    with st.spinner(f"{literal(title_of(name))} writes"):
        found = _written(name, scene.plain, begins)
    shown = _within(_Shown(scene, name, found, kind))
    left, right = columns([5, 4])
    with left:
        _weights(shown)
    with right:
        st.markdown(_what_is_written(shown))
        _heads(shown)
        st.markdown(_how_to_read(shown))
        st.caption(GREEDY)
    return Program(lambda: _program(shown))


def _name_tasks(scene: Scene, name: str) -> None:
    """What the text can begin with, if the folder names anything and the text begins with none of it."""
    text, tasks = typed("text"), tasks_of(name)
    if tasks and not text.strip().startswith(tasks):
        named = ", ".join(f"*{Typed(task)}*" for task in tasks[:MOST_TASKS])
        with scene.unknown:
            st.caption(
                f"{literal(title_of(name))} was trained with the task before the text. "
                f"Its folder names: {named}."
            )


def _first_head() -> None:
    """Open the first head: encoder and decoder may have different numbers of them."""
    put("layer", 1)
    put("head", 1)


@remembered_within(ROOM, lambda found: found.n_bytes)
def _written(name: str, pieces: tuple[str, ...], begins: str) -> InPieces:
    return attending_in_pieces(name, pieces, begins)


def _within(shown: _Shown) -> _Shown:
    """The same about a head that there is, should the menus have been of the other side."""
    n_layers, n_heads = shown.layers.shape[:2]
    scene = shown.scene
    return replace(
        shown,
        scene=replace(scene, layer=min(scene.layer, n_layers - 1), head=min(scene.head, n_heads - 1)),
    )


def _weights(shown: _Shown) -> None:
    title = f"{shown.kind.capitalize()} · {shown.scene.title}"
    of = (shown.pattern, shown.queries, shown.keys)
    picture(
        alignment(*of, title=title, roles=roles_of(shown.kind), theme=theme(), size=room(WIDTH)),
        key="alignment",
        alt=describe_alignment(*of, title=title),
        table=lambda: matrix_table(shown.pattern, shown.queries, keys=shown.keys),
    )


def _heads(shown: _Shown) -> None:
    """Every head of this kind of attention; a click opens one."""
    layers, chosen = shown.layers, (shown.scene.layer, shown.scene.head)
    picture(
        head_grid(layers, theme=theme(), selected=chosen, size=room(HEADS_WIDTH)),
        key="heads_grid",
        alt=describe_head_grid(layers, unit="piece"),
        table=partial(heads_table, layers),
        on_click=lambda point: _open(point, layers),
    )


def _open(point: Point, layers: np.ndarray) -> None:
    n_layers, n_heads = layers.shape[:2]
    tile = tile_at(point["x"], point["y"], n_layers=n_layers, n_heads=n_heads)
    if tile is not None:
        put("layer", tile[0] + 1)
        put("head", tile[1] + 1)


def _what_is_written(shown: _Shown) -> str:
    """What the model writes, and how it came to an end."""
    found, name = shown.found, literal(title_of(shown.name))
    quoted = literal(found.text, longest=LONGEST_QUOTE).strip()
    writes = f"**{name} writes** *{quoted}*." if quoted else f"**{name} writes** special tokens alone."
    return " ".join(filter(None, [writes, _ending(found), _given(found)]))


def _how_to_read(shown: _Shown) -> str:
    """What rows and columns are, and how much of the attention rests on special tokens."""
    column = A_COLUMN if shown.kind == CROSS else ""
    told = in_units(ROWS[shown.kind], "piece")
    return " ".join(filter(None, [_resting(shown), told, column, A_SQUARE]))


def _ending(found: InPieces) -> str:
    n = counted(len(found.target), "piece")
    if found.ended:
        return f"It ended by itself after {n}."
    return f"It was cut off after {n} without having come to an end."


def _given(found: InPieces) -> str:
    """What of the target was not chosen."""
    if not found.n_given:
        return ""
    first = " ".join(f"**{Typed(piece)}**" for piece in found.attending.written[: found.n_given])
    cut = f" {counted(found.n_too_many, 'piece')} more had no room." if found.n_too_many else ""
    return f"Given, not chosen: {first}.{cut}"


def _resting(shown: _Shown) -> str:
    """The share of the attention that the special tokens of the source get."""
    pieces = shown.scene.pieces
    if shown.kind == DECODER or pieces is None or not pieces.special:
        return ""
    named = ", ".join(f"**{Typed(pieces.labels[at])}**" for at in sorted(pieces.special))
    share = per_cent(share_of(shown.pattern, pieces.special))
    return f"{shown.scene.title} leaves **{share}** of its attention with the special tokens {named}."


def _program(shown: _Shown) -> str:
    found, scene = shown.found, shown.scene
    return pretrained_pair_program(
        f"models/{shown.name}",
        scene.plain,
        found.source,
        (found.start, *found.target[: found.n_given]),
        ends=found.ends,
        longest=found.longest,
        kind=shown.kind,
        layer=scene.layer,
        head=scene.head,
    )
