"""The chosen part: what it does, where it is written, what is inside, and what it computed."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from core.measures.architectures.about import INNER, about, spoken
from core.measures.architectures.diagram import Box
from core.measures.architectures.models import Seen
from core.measures.architectures.parts import Attention, Part
from pages.architectures.drawing import drawn_parts, inner_title, shape
from pages.controls.cited import equation
from pages.controls.link import menu
from pages.controls.picture import Point, picture, theme
from pages.controls.screen import room
from pages.controls.sentence import marked
from pages.shell import Scene
from viz.alignment import CROSS_ROLES, ROLES
from viz.architectures.inside import describe_inside, inside
from viz.architectures.values import between, describe_between, describe_vectors, vectors
from viz.tables import unique_words

INSIDE, MATRIX = 400, 400
"""Pixels of the two figures at most."""

WEIGHTS = ("scores", "pattern", "bias", "allowed")
"""What of an attention is a number for every query and key."""

FIRST = "first word"
"""What the one step writes of a decoder that is fed its start alone: nobody knows the word."""

READ = "Each position of the decoder is named by the word that it has read."

Words = tuple[str, ...]


def chosen_part(scene: Scene, seen: Seen, boxes: Sequence[Box], default: str) -> tuple[Box, Part]:
    """The box chosen in the menu, and what of it: its output, or something inside."""
    by_name = {spoken(box.name): box for box in boxes}
    with st.container(horizontal=True, vertical_alignment="center", key="inline_part"):
        box = by_name[menu("part", options=list(by_name), default=default, notes=scene.notes, width=300)]
        inner = seen.anatomy.inside.get(box.name, ())
        if not inner:
            return box, box.last
        shown = {one.name for one in drawn_parts(inner, box.attention)}
        by_name_inside = {INNER[one.name]: one for one in inner if one.name in shown}
        first = "weights" if box.attention is not None else "output"
        chosen = menu("inside", options=list(by_name_inside), default=first, notes=scene.notes, width=220)
    return box, by_name_inside[chosen]


def part_panel(scene: Scene, seen: Seen, box: Box, part: Part) -> None:
    """Everything about a part: what is around it in its box, what it computed, its formula and its place."""
    inner = seen.anatomy.inside.get(box.name, ())
    if inner:
        _draw_inside(box, part, inner)
    _draw(scene, seen, box, part)
    _explain(seen, box, part)


def _draw_inside(box: Box, chosen: Part, parts: Sequence[Part]) -> None:
    """The drawing of what is inside of a box."""
    shown = drawn_parts(parts, box.attention)
    elsewhere = [part.name for part in parts if _is_of_encoder(part)] if box.stack == "decoder" else []
    picture(
        inside(
            shown,
            entering=f"from {spoken(box.inputs[0]).rpartition(': ')[2]}",
            theme=theme(),
            width=room(INSIDE),
            chosen=chosen.name,
            elsewhere=elsewhere,
        ),
        key="inside_part",
        alt=describe_inside(shown, title=spoken(box.name)),
        table=lambda: _inner_table(parts, box.attention),
        on_click=_choose,
    )


def _is_of_encoder(part: Part) -> bool:
    return any(name.startswith("encoder.") for name in part.inputs)


def _choose(point: Point) -> None:
    st.session_state["inside"] = INNER[point["data"]]


def _draw(scene: Scene, seen: Seen, box: Box, part: Part) -> None:
    """What the part computed: vectors with their norms, or numbers for queries and keys."""
    words = read = _words(seen, box.stack)
    if box.kind == "words":
        st.markdown(" ".join(f"{number}" for number in part.value.tolist()))
        return
    attention = box.attention if part is not box.last else None
    if attention is not None and part.name in WEIGHTS:
        _draw_weights(scene, seen, box, part, attention)
        return
    value, what = part.value, _what(box, part)
    if value.ndim == 3:
        of_encoder = part.name in ("k", "v") and box.kind == "cross-attention"
        value, words = value[scene.head], _words(seen, "encoder") if of_encoder else words
        what = f"{what}, head {scene.head + 1}"
    draw_vectors(value, words, what=what)
    if words is read and box.stack == "decoder":
        st.caption(READ)


def draw_vectors(value: np.ndarray, words: Sequence[str], *, what: str) -> None:
    """Vectors of words with their norms."""
    picture(
        vectors(value, words, theme=theme()),
        key="computed",
        alt=describe_vectors(value, words, what=what),
        table=lambda: _vectors_table(value, words),
    )


def _draw_weights(scene: Scene, seen: Seen, box: Box, part: Part, attention: Attention) -> None:
    heads = part.value.astype(float)
    matrix = heads[min(scene.head, len(heads) - 1)]
    queries = _words(seen, box.stack)
    keys, roles = queries, ROLES
    if box.kind == "cross-attention":
        queries, keys, roles = seen.written or (FIRST,), _words(seen, "encoder"), CROSS_ROLES
    head = "" if part.name == "allowed" else f", head {scene.head + 1}"
    title = f"{INNER[part.name].capitalize()}{head}"
    allowed = None if part.name in ("scores", "bias") else attention.allowed
    look: dict[str, Any] = {"title": title, "allowed": allowed, "shares": part.name in ("pattern", "allowed")}
    picture(
        between(matrix, queries, keys, theme=theme(), size=room(MATRIX), roles=roles, **look),
        key="computed",
        alt=describe_between(matrix, queries, keys, **look),
        table=lambda: pd.DataFrame(
            matrix, index=pd.Index(unique_words(queries), name="query"), columns=unique_words(keys)
        ),
    )


def _words(seen: Seen, stack: str) -> Words:
    return marked(seen.words_of(stack), seen.unknown if stack != "decoder" else ())


def _what(box: Box, part: Part) -> str:
    return spoken(box.name) if part is box.last else f"{spoken(box.name)}, {INNER[part.name]}"


def _explain(seen: Seen, box: Box, part: Part) -> None:
    """A sentence, the formula and the line of the program."""
    told = about(box.kind, seen.config_of(box.stack))
    st.markdown(told.says)
    if told.formula:
        equation(told.formula, told.source)
    if part.place is not None:
        st.caption(f"{shape(part.shape)} leave it, written in {part.place.file}, line {part.place.line}:")
        st.code(part.place.text, language="python", wrap_lines=True)


def _inner_table(parts: Sequence[Part], attention: Attention | None) -> pd.DataFrame:
    rows = {
        "made of": [", ".join(INNER.get(one, spoken(one)) for one in part.inputs) for part in parts],
        "shape": [shape(part.shape) for part in parts],
        "recorded as": [part.name for part in parts],
    }
    names = [inner_title(part.name, attention) for part in parts]
    return pd.DataFrame(rows, index=pd.Index(names, name="part"))


def _vectors_table(value: np.ndarray, words: Sequence[str]) -> pd.DataFrame:
    table = pd.DataFrame(value, index=pd.Index(unique_words(words), name="word"))
    table.columns = [f"{at}" for at in range(1, value.shape[1] + 1)]
    table.insert(0, "norm", np.linalg.norm(value, axis=1))
    return table
