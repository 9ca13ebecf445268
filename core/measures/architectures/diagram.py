"""A model as drawn: one block in full, and one box each for the blocks below and above it."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from core.measures.architectures.parts import Anatomy, AttentionPart, Part

BLOCK = re.compile(r"^((?:encoder|decoder)\.)?blocks\.(\d+)\.")


@dataclass(frozen=True, eq=False)
class DiagramBox:
    """A part or a group of `blocks`; its `last` part gives its result, and `stack` may be empty."""

    name: str
    kind: str
    stack: str
    inputs: tuple[str, ...]
    last: Part
    attention: AttentionPart | None = None
    in_block: bool = False
    blocks: tuple[int, ...] = ()

    @property
    def shape(self) -> tuple[int, ...]:
        return self.last.shape


def diagram(anatomy: Anatomy, layer: int) -> tuple[DiagramBox, ...]:
    """Return the boxes from the words to the output, with the block of `layer`, from 0, drawn in full."""
    owners = {name: _owner(name, layer) for name in anatomy.parts}
    boxes = []
    for name in dict.fromkeys(owners.values()):
        parts = [part for part in anatomy.parts.values() if owners[part.name] == name]
        entering = (owners[one] for part in parts for one in part.inputs)
        inputs = tuple(dict.fromkeys(one for one in entering if one != name))
        boxes.append(_box(name, parts, inputs, anatomy.attentions))
    return tuple(boxes)


def _owner(name: str, layer: int) -> str:
    met = BLOCK.match(name)
    if met is None or int(met.group(2)) == layer:
        return name
    return f"{met.group(1) or ''}blocks.{'below' if int(met.group(2)) < layer else 'above'}"


def _box(
    name: str, parts: Iterable[Part], inputs: tuple[str, ...], attentions: Mapping[str, AttentionPart]
) -> DiagramBox:
    parts = list(parts)
    stack = name.split(".")[0] if name.startswith(("encoder.", "decoder.")) else ""
    places = [BLOCK.match(part.name) for part in parts]
    blocks = tuple(dict.fromkeys(int(met.group(2)) for met in places if met))
    alone = parts[0].name == name
    return DiagramBox(
        name,
        parts[0].kind if alone else "blocks",
        stack,
        inputs,
        parts[-1],
        attentions.get(name),
        in_block=alone and bool(blocks),
        blocks=blocks,
    )
