"""How well attention aligns words: the links it implies against the exact ones, counted as an error rate."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from core.text.translation import Alignment


@dataclass(frozen=True)
class LinkCounts:
    """How many links were found, how many there are, and how many of those found are right.

    Sure links are those that have to be found, possible ones those that may be (Och & Ney 2003, section 5).
    Counts of several sentences can be added up.
    """

    found: int
    sure: int
    found_sure: int
    found_possible: int

    def __add__(self, other: "LinkCounts") -> "LinkCounts":
        return LinkCounts(
            self.found + other.found,
            self.sure + other.sure,
            self.found_sure + other.found_sure,
            self.found_possible + other.found_possible,
        )

    @property
    def error_rate(self) -> float:
        """1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|): 0 where all is found and nothing wrong, 1 for nothing right.

        Raises ValueError where there is neither a link found nor a sure one.
        """
        if not self.found + self.sure:
            raise ValueError("an alignment without links has no error rate")
        return 1 - (self.found_sure + self.found_possible) / (self.found + self.sure)


def count_links(found: Alignment, sure: Alignment, possible: Alignment | None = None) -> LinkCounts:
    """The counts of one sentence; `possible` has the sure links too and is the same unless given.

    The alignments of our translations are exact, so that all their links are sure.
    """
    possible = sure if possible is None else possible | sure
    return LinkCounts(len(found), len(sure), len(found & sure), len(found & possible))


def implied(weights: Float[Tensor, "target source"]) -> Alignment:
    """The links that attention implies: each word of the target with the source word it attends to most.

    Weights without a softmax may be negative, and the largest in size counts; of equals the first.
    """
    best = weights.abs().argmax(dim=-1).tolist()
    return frozenset((source, target) for target, source in enumerate(best))


def of_targets(links: Alignment, targets: Container[int]) -> Alignment:
    """The links of these words of the target."""
    return frozenset(link for link in links if link[1] in targets)


def error_rate(pairs: Iterable[tuple[Alignment, Alignment]]) -> float:
    """The error rate over many sentences: links found, and exact ones, all counted together."""
    return sum((count_links(*pair) for pair in pairs), LinkCounts(0, 0, 0, 0)).error_rate


def by_head(
    weights: Sequence[Float[Tensor, "layer head target source"]],
    exact: Sequence[Alignment],
    targets: Sequence[Container[int]] | None = None,
) -> Float[Tensor, "layer head"]:
    """The error rate of every head over many sentences: which one aligns best?

    With `targets` the links of these words of each translation count, and no others.
    """
    if targets is None:
        targets = [range(each.shape[2]) for each in weights]
    exact = [of_targets(*pair) for pair in zip(exact, targets, strict=True)]
    n_layers, n_heads = weights[0].shape[:2]
    rates = torch.zeros(n_layers, n_heads)
    for layer in range(n_layers):
        for head in range(n_heads):
            links = (implied(each[layer, head]) for each in weights)
            found = (of_targets(*pair) for pair in zip(links, targets, strict=True))
            rates[layer, head] = error_rate(zip(found, exact, strict=True))
    return rates
