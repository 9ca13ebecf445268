"""A model that was seen at work, on its way into a figure: boxes with their titles and shapes."""

from collections.abc import Sequence

import numpy as np

from core.measures.architectures.about import INNER
from core.measures.architectures.diagram import Box, blocks_are_alike
from core.measures.architectures.models import Seen
from core.measures.architectures.parts import Attention, Part
from core.model.masks import MASKS
from core.model.positions import SCHEMES
from pages.contract.words import marked
from viz import architectures as drawn
from viz.text import counted

TITLES = {
    "embedding": "Embedding",
    "segments": "+ segments",
    "sum": "sum",
    "attention": "Self-attention",
    "cross-attention": "Cross-attention",
    "feed-forward": "Feed-forward",
    "transform": "Transform",
    "output": "Output layer",
}


def shape(sizes: Sequence[int]) -> str:
    """Sizes as they stand at an arrow: 11 × 48."""
    return " × ".join(map(str, sizes))


def drawn_boxes(seen: Seen, boxes: Sequence[Box], layer: int) -> list[drawn.Box]:
    """The boxes of a model for `viz.architectures`."""
    return [
        drawn.Box(
            name=box.name,
            kind=box.kind,
            title=_title(seen, box),
            shape=counted(len(box.last.value), "word") if box.kind == "words" else shape(box.shape),
            inputs=box.inputs,
            notes=_notes(seen, box),
            stack=box.stack,
            block=f"block {layer + 1} of {seen.config_of(box.stack).n_layers}" if box.in_block else "",
            allowed=_mask(box) if is_masked(seen, box) else None,
        )
        for box in boxes
    ]


def drawn_parts(parts: Sequence[Part], attention: Attention | None) -> list[drawn.Box]:
    """What is inside of a part for `viz.architectures.inside`; a mask that hides nothing is not drawn."""
    return [
        drawn.Box(part.name, part.name, inner_title(part.name, attention), shape(part.shape), part.inputs)
        for part in parts
        if part.name != "allowed" or (attention and attention.hidden)
    ]


def inner_title(name: str, attention: Attention | None) -> str:
    """What a part inside of another is called in its box."""
    if name in ("q", "k") and attention is not None and attention.turned:
        return f"{INNER[name]}, turned"
    return INNER.get(name, name)


def _title(seen: Seen, box: Box) -> str:
    config = seen.config_of(box.stack)
    if box.kind == "words":
        unknown = seen.unknown if box.stack != "decoder" else ()
        return " ".join(marked(seen.words_of(box.stack), unknown))
    if box.kind == "positions":
        return f"+ {SCHEMES[config.positions].about.title}"
    if box.kind == "norm":
        return "RMS norm" if config.norm_kind == "rms" else "Layer norm"
    if box.kind == "blocks":
        return _blocks(seen, box)
    if is_masked(seen, box):
        return f"Masked {TITLES[box.kind].lower()}"
    return TITLES.get(box.kind, box.kind)


def is_masked(seen: Seen, box: Box) -> bool:
    """Whether a mask acts in a box, be the sentence so short that it hides nothing."""
    return box.kind == "attention" and MASKS[seen.config_of(box.stack).mask].hides


def _mask(box: Box) -> np.ndarray:
    """The mask as it is drawn: that of this sentence, and of one word the mask of two, which can be seen."""
    assert box.attention is not None, "a mask acts in attention"
    return box.attention.allowed if box.attention.hidden else np.tril(np.ones((2, 2), dtype=bool))


def _blocks(seen: Seen, box: Box) -> str:
    """A sentence on the blocks that a box stands for."""
    first, last = box.blocks[0] + 1, box.blocks[-1] + 1
    named = f"Block {first}" if first == last else f"Blocks {first}–{last}"
    return f"{named}, built alike" if blocks_are_alike(seen.anatomy, box.stack) else named


def _notes(seen: Seen, box: Box) -> tuple[str, ...]:
    """Lines below a box's title, the longest first: the heads of an attention, and positions in it."""
    if box.kind == "feed-forward":
        (hidden,) = (part for part in seen.anatomy.inside[box.name] if part.name == "hidden")
        return (f"{shape(hidden.shape)} inside",)
    if box.attention is None:
        return ()
    queries, keys = box.attention.allowed.shape
    heads = "1 head" if box.attention.n_heads == 1 else f"{box.attention.n_heads} heads"
    each = f"{heads}, {'each ' * (box.attention.n_heads > 1)}{queries} × {keys}"
    if not (box.attention.turned or box.attention.biased):
        return each, heads
    title = SCHEMES[seen.config_of(box.stack).positions].about.title
    return f"{heads} · {title}", title, heads
