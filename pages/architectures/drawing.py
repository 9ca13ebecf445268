"""The drawing of a running model: its boxes with their titles and shapes, and the whole picture."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from core.measures.architectures.diagram import DiagramBox
from core.measures.architectures.models import ModelRun
from core.measures.architectures.parts import AttentionPart, Part
from core.model.config import ModelConfig
from core.model.masks import MASKS
from core.model.positions import SCHEMES
from pages.architectures.descriptions import INNER, spoken
from pages.contract.prose import Typed, literal
from pages.contract.sheet import PicturePart, Text
from pages.contract.words import marked
from viz import architectures as drawn
from words import counted

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

BETWEEN: Mapping[str, str] = {"scores": "scores", "pattern": "weights", "bias": "bias", "allowed": "mask"}
"""Arrays of an attention with a number for every query and key, by their recorded names."""

MEASURES: Mapping[str, str] = {
    "scores": "score",
    "pattern": "attention weight",
    "bias": "added to the score",
    "allowed": "1 if allowed, 0 if masked",
}
"""The label of a colour bar of each of these."""

PRINTS = (
    "the name, the shape and the mean length of everything recorded, in the order in which it is computed"
)


def model_picture(seen: ModelRun, boxes: Sequence[DiagramBox], chosen: DiagramBox, layer: int) -> PicturePart:
    """Draw a model; a click on a box opens it."""
    kind = "encoder–decoder"
    if isinstance(seen.config, ModelConfig):
        kind = "decoder" if MASKS[seen.config.mask].hides else "encoder"
    picture = drawn.Architecture(
        title=f"Architecture of a Transformer {kind}",
        boxes=drawn_boxes(seen, boxes, layer),
        chosen=chosen.name,
        make_table=lambda: _table(boxes),
    )
    return PicturePart(
        "architecture", picture, on_click=lambda points, link: {"part": spoken(points[-1]["data"])}
    )


def _table(boxes: Sequence[DiagramBox]) -> pd.DataFrame:
    """Return a row for each box, from the words upwards."""
    rows = {
        "made of": [", ".join(spoken(one) for one in box.inputs) for box in boxes],
        "shape": [shape(box.shape) for box in boxes],
        "place": [f"{box.last.place.file}:{box.last.place.line}" if box.last.place else "" for box in boxes],
    }
    return pd.DataFrame(rows, index=pd.Index([spoken(box.name) for box in boxes], name="part"))


def sizes(seen: ModelRun) -> str:
    """Return the meaning of the numbers at the arrows."""
    config = seen.config_of("encoder")
    words = f"n = {counted(len(seen.source), 'word')}"
    if seen.target:
        words += f" in, {len(seen.target)} in the translation with its start {literal('<s>')}"
    vocabulary = f"{counted(seen.config_of('decoder').vocab_size, 'word')} to choose from"
    heads = f"{counted(config.n_heads, 'head')} of {config.d_head}"
    return f"{words}; d = {config.d_model} numbers for each; {heads}; {vocabulary}."


def no_translation(why_no_translation: str) -> tuple[Text, ...]:
    """Return why the decoder is fed only its start; nothing if there is no why_no_translation."""
    if not why_no_translation:
        return ()
    return (
        Text(
            "This is not a sentence of the small artificial English, so it has no reference translation. The "
            f"decoder reads only its start symbol. In the grammar, {Typed(why_no_translation):300}.",
            "info",
        ),
    )


def title_within(box: DiagramBox) -> str:
    """Return a part within a title: `cross-attention of the decoder, layer 2`."""
    stack, _, what = spoken(box.name).rpartition(": ")
    return ", ".join(filter(None, (f"{what} of the {stack}" if stack else what, layer_of(box))))


def title_of_vectors(box: DiagramBox, part: Part) -> str:
    """Return the title of the vectors that a part computes."""
    what = "output" if part is box.last else INNER[part.name]
    return f"{what.capitalize()} of {title_within(box)}"


def title_between(box: DiagramBox, part: Part) -> str:
    """Return the title of the numbers that an attention has for every query and key."""
    kind = spoken(box.name).rpartition(": ")[2] if box.stack else "attention"
    of_stack = f" of the {box.stack}" if box.stack and kind == "self-attention" else ""
    return f"{kind.capitalize()} {BETWEEN[part.name]}{of_stack}, {layer_of(box)}"


def layer_of(box: DiagramBox) -> str:
    """Return the layer of a part within a title; empty if it belongs to none."""
    layer = box.name.partition("blocks.")[2].partition(".")[0]
    return f"layer {int(layer) + 1}" if layer.isdigit() else ""


def shape(sizes: Sequence[int]) -> str:
    """Return sizes as they stand at an arrow: 11 × 48."""
    return " × ".join(map(str, sizes))


def drawn_boxes(seen: ModelRun, boxes: Sequence[DiagramBox], layer: int) -> list[drawn.Box]:
    """Return the boxes of a model for `viz.architectures`."""
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


def drawn_parts(parts: Sequence[Part], attention: AttentionPart | None) -> list[drawn.Box]:
    """Return the parts inside a part for `viz.architectures.inside`, without a mask that hides nothing."""
    return [
        drawn.Box(part.name, part.name, inner_title(part.name, attention), shape(part.shape), part.inputs)
        for part in parts
        if part.name != "allowed" or (attention and attention.hidden)
    ]


def inner_title(name: str, attention: AttentionPart | None) -> str:
    """Return the title of a part inside another one."""
    if name in ("q", "k") and attention is not None and attention.turned:
        return f"{INNER[name]}, turned"
    return INNER.get(name, name)


def _title(seen: ModelRun, box: DiagramBox) -> str:
    config = seen.config_of(box.stack)
    if box.kind == "words":
        unknown = seen.unknown if box.stack != "decoder" else ()
        return " ".join(marked(seen.words_of(box.stack), unknown))
    if box.kind == "positions":
        return f"+ {SCHEMES[config.positions].about.title}"
    if box.kind == "norm":
        return "RMS norm" if config.norm_kind == "rms" else "Layer norm"
    if box.kind == "blocks":
        first, last = box.blocks[0] + 1, box.blocks[-1] + 1
        named = f"Block {first}" if first == last else f"Blocks {first}–{last}"
        return f"{named}, built alike"
    if is_masked(seen, box):
        return f"Masked {TITLES[box.kind].lower()}"
    return TITLES.get(box.kind, box.kind)


def is_masked(seen: ModelRun, box: DiagramBox) -> bool:
    """Return whether a box has a mask, even if the sentence is so short that it hides nothing."""
    return box.kind == "attention" and MASKS[seen.config_of(box.stack).mask].hides


def _mask(box: DiagramBox) -> np.ndarray:
    """Return the mask for the drawing; for one word, the visible mask of two words."""
    assert box.attention is not None, "a mask acts in attention"
    return box.attention.allowed if box.attention.hidden else np.tril(np.ones((2, 2), dtype=bool))


def _notes(seen: ModelRun, box: DiagramBox) -> tuple[str, ...]:
    """Return lines below a box's title, the longest first: the heads of an attention, and its positions."""
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
