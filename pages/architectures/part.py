"""The chosen part: its formula, its inner parts, and its results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from core.measures.architectures.diagram import DiagramBox
from core.measures.architectures.models import PARTS, Counts, ModelRun
from core.measures.architectures.parts import AttentionPart, Part
from core.measures.architectures.wiring import Place
from pages.architectures.descriptions import INNER, about, spoken
from pages.architectures.drawing import (
    BETWEEN,
    MEASURES,
    drawn_parts,
    inner_title,
    layer_of,
    shape,
    title_between,
    title_of_vectors,
    title_within,
)
from pages.contract.ask import Ask
from pages.contract.scene import Scene
from pages.contract.sheet import Code, Column, Controls, Fold, Formula, PicturePart, Table, Text
from pages.contract.sheet import Part as SheetPart
from pages.contract.words import marked
from pages.translation.kinds import CROSS, ROWS
from viz.architectures.inside import Inside
from viz.architectures.values import Vectors
from viz.matrices import CROSS_ROLES, ROLES, SentencePairMatrix
from viz.text import plain

FIRST = "first word"
"""Placeholder of the word written by a decoder that is fed only its start."""

READ = "Each position of the decoder is named after the word that it has read."

PART = "part"
"""Spot of the menus of the part."""

Words = tuple[str, ...]


@dataclass(frozen=True)
class Chosen:
    """A box of the drawing, and the selection in it: its output, or an inner part."""

    box: DiagramBox
    part: Part


def ask_part(ask: Ask, seen: ModelRun, boxes: Sequence[DiagramBox], default: str) -> Chosen:
    """Return the box chosen in the menu, and the selection in it."""
    by_name = {spoken(box.name): box for box in boxes}
    with ask.at(PART):
        box = by_name[ask.menu("part", options=list(by_name), default=default, width=300)]
        inner = seen.anatomy.inside.get(box.name, ())
        if not inner:
            return Chosen(box, box.last)
        shown = {one.name for one in drawn_parts(inner, box.attention)}
        by_name_inside = {INNER[one.name]: one for one in inner if one.name in shown}
        first = "weights" if box.attention is not None else "output"
        chosen = ask.menu("inside", options=list(by_name_inside), default=first, width=220)
    return Chosen(box, by_name_inside[chosen])


def panel(seen: ModelRun, chosen: Chosen, head: int) -> tuple[SheetPart, ...]:
    """Return the formula of a part, its place in the box, and its results."""
    box = chosen.box
    told = about(box.kind, seen.config_of(box.stack))
    inner = seen.anatomy.inside.get(box.name, ())
    return (
        Controls(PART),
        *((Formula(told.formula, told.source),) if told.formula else ()),
        *((_inside(chosen, inner),) if inner else ()),
        *_computed(seen, chosen, head),
    )


def about_part(seen: ModelRun, chosen: Chosen, scene: Scene) -> Text:
    """Return a sentence on the chosen part, and the shape of its output."""
    box = chosen.box
    says = about(box.kind, seen.config_of(box.stack)).says
    name = opened(chosen, scene)
    return Text(f"**{name[0].upper()}{name[1:]}:** {says} {describe_shape(chosen)}")


def describe_shape(chosen: Chosen) -> str:
    """Name the selected part of a box with its shape, and how an attention combines its heads."""
    box, part = chosen.box, chosen.part
    told = f"Selected: *{INNER.get(part.name, 'output')}*, of shape {shape(part.shape)}"
    if box.attention is None:
        return f"{told}."
    if part.value.ndim == 3:
        told = f"{told} (heads, {'queries, keys' if part.name in BETWEEN else 'words, numbers'})"
    return (
        f"{told}. The box *output* joins the weighted sums of all heads and multiplies them by O, the output "
        "projection."
    )


def line_of(place: Place | None) -> tuple[SheetPart, ...]:
    """Return the program line that computes the part, if it is known."""
    if place is None:
        return ()
    return (Fold("In the program", (Text(f"{place.file}, line {place.line}:", "remark"), Code(place.text))),)


def opened(chosen: Chosen, scene: Scene) -> str:
    """Name the chosen box with its layer, and the head if the selected part has numbers of a head."""
    box = chosen.box
    if box.attention is not None:
        place = f", {scene.place if _is_of_head(chosen) else scene.layer_place}"
    else:
        place = f", {scene.layer_place}" if box.in_block else ""
    stack, _, what = spoken(box.name).rpartition(": ")
    return f"{f'{what} of the {stack}' if stack else what}{place}"


def drawn_place(chosen: Chosen, scene: Scene) -> str:
    """Name the layer that is drawn, and the head if the selected part has numbers of a head."""
    place = f"Head {scene.head + 1} of layer" if _is_of_head(chosen) else "Layer"
    return f"{place} {scene.layer + 1} is drawn."


def _is_of_head(chosen: Chosen) -> bool:
    """Return whether the selected part has numbers of a head."""
    box, part = chosen.box, chosen.part
    is_inside = box.attention is not None and part is not box.last
    return is_inside and part.name != "allowed" and part.value.ndim == 3


def parameters_fold(columns: Mapping[str, Counts], said: str) -> Fold:
    """Return a table of parameters by part, with a column for each stack, and a sentence on it."""
    table = pd.DataFrame(columns, index=pd.Index(list(PARTS), name="part"))
    table = table.dropna(how="all").fillna(0).astype(int)
    table.loc["all"] = table.sum()
    numbers = {str(name): Column("localized") for name in table}
    return Fold("Parameters", (Table("counts", table, "Parameters by part", columns=numbers), Text(said)))


def _inside(chosen: Chosen, parts: Sequence[Part]) -> PicturePart:
    """Draw the inside of a box."""
    box = chosen.box
    of_encoder = (part.name for part in parts if any(name.startswith("encoder.") for name in part.inputs))
    picture = Inside(
        title=f"Inside of {plain(title_within(box))}",
        boxes=drawn_parts(parts, box.attention),
        entering=f"from {spoken(box.inputs[0]).rpartition(': ')[2]}",
        chosen=chosen.part.name,
        elsewhere=list(of_encoder) if box.stack == "decoder" else [],
        make_table=lambda: _inner_table(parts, box.attention),
    )
    return PicturePart(
        "inside_part", picture, on_click=lambda points, link: {"inside": INNER[points[-1]["data"]]}
    )


def _computed(seen: ModelRun, chosen: Chosen, head: int) -> tuple[SheetPart, ...]:
    """Return the results of the part: vectors with their norms, or numbers for queries and keys."""
    box, part = chosen.box, chosen.part
    if box.kind == "words":
        return (Text(" ".join(f"{number}" for number in part.value.tolist())),)
    attention = box.attention if part is not box.last else None
    if attention is not None and part.name in BETWEEN:
        return _weights(seen, chosen, attention, head)
    words = read = _words(seen, box.stack)
    value, title = part.value, title_of_vectors(box, part)
    if value.ndim == 3:
        of_encoder = part.name in ("k", "v") and box.kind == "cross-attention"
        value, words = value[head], _words(seen, "encoder") if of_encoder else words
        title = f"{title}, head {head + 1}"
    drawn = PicturePart("computed", Vectors(title=title, values=value, words=words))
    return (drawn, Text(READ, "remark")) if words is read and box.stack == "decoder" else (drawn,)


def _weights(seen: ModelRun, chosen: Chosen, attention: AttentionPart, head: int) -> tuple[SheetPart, ...]:
    """Return a head's number for every query and key; below cross-attention, the meaning of a row."""
    box, part = chosen.box, chosen.part
    heads = part.value.astype(float)
    queries = _words(seen, box.stack)
    keys, roles = queries, ROLES
    if box.kind == "cross-attention":
        queries, keys, roles = seen.written or (FIRST,), _words(seen, "encoder"), CROSS_ROLES
    of_head = "" if part.name == "allowed" else f", head {head + 1}"
    picture = SentencePairMatrix(
        values=heads[min(head, len(heads) - 1)],
        queries=queries,
        keys=keys,
        title=f"{title_between(box, part)}{of_head}",
        short=f"{INNER[part.name].capitalize()}, {layer_of(box)}{of_head}",
        roles=roles,
        allowed=None if part.name in ("scores", "bias") else attention.allowed,
        signed=part.name not in ("pattern", "allowed"),
        measure=MEASURES[part.name],
    )
    drawn = PicturePart("computed", picture)
    return (drawn, Text(ROWS[CROSS], "remark")) if box.kind == "cross-attention" else (drawn,)


def _words(seen: ModelRun, stack: str) -> Words:
    return marked(seen.words_of(stack), seen.unknown if stack != "decoder" else ())


def _inner_table(parts: Sequence[Part], attention: AttentionPart | None) -> pd.DataFrame:
    rows = {
        "made of": [", ".join(INNER.get(one, spoken(one)) for one in part.inputs) for part in parts],
        "shape": [shape(part.shape) for part in parts],
        "recorded as": [part.name for part in parts],
    }
    names = [inner_title(part.name, attention) for part in parts]
    return pd.DataFrame(rows, index=pd.Index(names, name="part"))
