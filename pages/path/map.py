"""A small map of the whole model: the parts of a running encoder–decoder, and their stops."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from core.measures.architectures.diagram import DiagramBox, diagram
from core.measures.architectures.models import random_pair, run_pair
from core.measures.architectures.parts import Part
from core.model.config import ModelConfig
from pages.architectures.descriptions import INNER
from pages.path.stops import STOPS

READ = ("Zuko", "made", "his", "uncle", "tea")
"""Sentence that the traced model reads: the parts are the same for any sentence."""

SMALL = ModelConfig(vocab_size=2, d_model=8, n_heads=2, n_layers=1)
"""One block of each kind: more blocks have the same parts."""

TITLES: Mapping[str, str] = {
    "words": "words",
    "embedding": "embedding",
    "positions": "+ positions",
    "norm": "norm",
    "attention": "self-attention",
    "cross-attention": "cross-attention",
    "feed-forward": "feed-forward",
    "sum": "+",
    "output": "logits",
}

LEADS_TO: Mapping[str, int] = {part: number for number, stop in enumerate(STOPS, 1) for part in stop.met}
"""Stop of each part: parts by their kinds, those inside of self-attention by their names."""


@dataclass(frozen=True)
class Chip:
    """A part on the map: its title, its stop, if any, its name and its row."""

    title: str
    kind: str
    leads_to: int | None
    row: str

    def is_lit(self, stop: int) -> bool:
        """Return whether a stop is about this part."""
        about = STOPS[stop - 1]
        return self.kind in about.lit and about.row in ("", self.row)


@cache
def rows() -> Mapping[str, tuple[Chip, ...]]:
    """Return the parts of the encoder, the decoder and self-attention, each in their order of work."""
    anatomy = run_pair(random_pair(SMALL, seed=0), READ).anatomy
    boxes = diagram(anatomy, 0)
    attention = next(box for box in boxes if box.kind == "attention" and box.stack == "decoder")
    return {
        "encoder": tuple(_chip(box) for box in boxes if box.stack == "encoder"),
        "decoder": tuple(_chip(box) for box in boxes if box.stack == "decoder"),
        "self-attention": tuple(
            Chip(INNER[part.name], part.name, LEADS_TO.get(part.name), "self-attention")
            for part in _in_order(anatomy.inside[attention.name])
        ),
    }


def _chip(box: DiagramBox) -> Chip:
    return Chip(TITLES[box.kind], box.kind, LEADS_TO.get(box.kind), box.stack)


def _in_order(parts: Sequence[Part]) -> Iterator[Part]:
    """Return the parts in their order of work: the mask is built first, but acts on the scores."""
    (mask,) = (part for part in parts if part.name == "allowed")
    for part in parts:
        if part is not mask:
            yield part
        if part.name == "scores":
            yield mask
