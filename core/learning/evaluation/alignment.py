"""Alignment error rate: the links that attention implies against the exact links."""

from collections.abc import Container, Iterable, Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from core.text.translation import Alignment


def error_rate(pairs: Iterable[tuple[Alignment, Alignment]]) -> float:
    """Return the alignment error rate of many sentences, each with found and exact links.

    All our links are sure: 1 − 2 |A ∩ S| / (|A| + |S|) over all sentences (Och & Ney 2003, section 5). Raises
    ValueError if there are no links at all.
    """
    n_right, n_links = 0, 0
    for found, sure in pairs:
        n_right += len(found & sure)
        n_links += len(found) + len(sure)
    if not n_links:
        raise ValueError("an alignment without links has no error rate")
    return 1 - 2 * n_right / n_links


def implied_links(weights: Float[Tensor, "target source"]) -> Alignment:
    """Return the links that attention implies: each target word to the source word of largest weight."""
    best = weights.abs().argmax(dim=-1).tolist()
    return frozenset((source, target) for target, source in enumerate(best))


def of_targets(links: Alignment, targets: Container[int]) -> Alignment:
    """Return the links of these target words."""
    return frozenset(link for link in links if link[1] in targets)


def by_head(
    weights: Sequence[Float[Tensor, "layer head target source"]],
    exact: Sequence[Alignment],
    targets: Sequence[Container[int]] | None = None,
) -> Float[Tensor, "layer head"]:
    """Return the error rate of every head over many sentences, for all words or those in `targets`."""
    if targets is None:
        targets = [range(each.shape[2]) for each in weights]
    exact = [of_targets(*pair) for pair in zip(exact, targets, strict=True)]
    n_layers, n_heads = weights[0].shape[:2]
    rates = torch.zeros(n_layers, n_heads)
    for layer in range(n_layers):
        for head in range(n_heads):
            links = (implied_links(each[layer, head]) for each in weights)
            found = (of_targets(*pair) for pair in zip(links, targets, strict=True))
            rates[layer, head] = error_rate(zip(found, exact, strict=True))
    return rates
