"""A small map of the whole model: the parts of an encoder–decoder watched at work, and their stops."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from core.measures.architectures.about import INNER
from core.measures.architectures.diagram import Box, diagram
from core.measures.architectures.models import random_pair, seen_pair
from core.measures.architectures.parts import Part
from core.model.config import ModelConfig

READ = ("Zuko", "made", "his", "uncle", "tea")
"""What the watched model reads: the parts are the same for any sentence."""

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

LEADS_TO: Mapping[str, int] = {
    "embedding": 1,
    "positions": 3,
    "attention": 4,
    "cross-attention": 9,
    "norm": 7,
    "sum": 7,
    "feed-forward": 7,
    "output": 11,
    "q": 1,
    "k": 1,
    "v": 1,
    "allowed": 4,
    "scores": 6,
    "pattern": 8,
    "z": 5,
    "out": 5,
}
"""The stop at which a part is met: parts by their kinds, those inside of self-attention by their names."""

LIT: Mapping[int, frozenset[str]] = {
    1: frozenset({"q", "k", "v", "scores", "pattern", "z"}),
    2: frozenset({"attention"}),
    3: frozenset({"positions"}),
    4: frozenset({"allowed"}),
    5: frozenset({"z", "out"}),
    6: frozenset({"scores"}),
    7: frozenset({"norm", "sum", "feed-forward"}),
    8: frozenset({"pattern"}),
    9: frozenset({"attention", "cross-attention"}),
    10: frozenset({"cross-attention"}),
    11: frozenset({"output"}),
    12: frozenset({"embedding", "positions", "norm", "attention", "feed-forward", "sum"}),
}
"""What of the map each stop is about."""

OF_ENCODERS = frozenset({12})
"""Stops that are about the encoder alone: the real model that `make` fetches, MiniLM, is one."""


@dataclass(frozen=True)
class Chip:
    """A part on the map: its title, the stop that it leads to, if any, what it is and in which row."""

    title: str
    kind: str
    leads_to: int | None
    row: str

    def is_lit(self, stop: int) -> bool:
        """Whether a stop is about this part."""
        return self.kind in LIT[stop] and (stop not in OF_ENCODERS or self.row == "encoder")


@cache
def rows() -> Mapping[str, tuple[Chip, ...]]:
    """The parts of the encoder, of the decoder and of self-attention, each in the order of their work."""
    anatomy = seen_pair(random_pair(SMALL, seed=0), READ).anatomy
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


def _chip(box: Box) -> Chip:
    return Chip(TITLES[box.kind], box.kind, LEADS_TO.get(box.kind), box.stack)


def _in_order(parts: Sequence[Part]) -> Iterator[Part]:
    """The parts as they act: the mask is there from the beginning, but acts on the scores."""
    (mask,) = (part for part in parts if part.name == "allowed")
    for part in parts:
        if part is not mask:
            yield part
        if part.name == "scores":
            yield mask
