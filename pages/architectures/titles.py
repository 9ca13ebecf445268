"""What the pictures of a model and of its parts are called, wherever they are shown."""

from collections.abc import Mapping

from core.measures.architectures.about import INNER, spoken
from core.measures.architectures.diagram import Box
from core.measures.architectures.models import Seen
from core.measures.architectures.parts import Part
from core.model.config import ModelConfig
from core.model.masks import MASKS

BETWEEN: Mapping[str, str] = {"scores": "scores", "pattern": "weights", "bias": "bias", "allowed": "mask"}
"""What an attention has a number of for every query and key."""


def of_model(seen: Seen) -> str:
    """The whole model: what its mask makes of one stack, or that there are two."""
    if not isinstance(seen.config, ModelConfig):
        return "Architecture of a Transformer encoder–decoder"
    is_decoder = MASKS[seen.config.mask].hides
    return f"Architecture of a Transformer {'decoder' if is_decoder else 'encoder'}"


def named(box: Box) -> str:
    """A part within a title: `cross-attention of the decoder, layer 2`."""
    stack, _, what = spoken(box.name).rpartition(": ")
    return ", ".join(filter(None, (f"{what} of the {stack}" if stack else what, layer_of(box))))


def vectors(box: Box, part: Part) -> str:
    """What a part computes for every word."""
    what = "output" if part is box.last else INNER[part.name]
    return f"{what.capitalize()} of {named(box)}"


def between(box: Box, part: Part) -> str:
    """What an attention has for every query and key; of one stack it needs no word on which attention."""
    kind = spoken(box.name).rpartition(": ")[2] if box.stack else "attention"
    of_stack = f" of the {box.stack}" if box.stack and kind == "self-attention" else ""
    return f"{kind.capitalize()} {BETWEEN[part.name]}{of_stack}, {layer_of(box)}"


def layer_of(box: Box) -> str:
    """The layer of a part within a title, empty where it is of none."""
    layer = box.name.partition("blocks.")[2].partition(".")[0]
    return f"layer {int(layer) + 1}" if layer.isdigit() else ""
