"""T5's relative bias: a learned number for each head and each bucket of distances."""

import math

import torch
from einops import rearrange
from jaxtyping import Int
from torch import Tensor

from core.model.positions.base import Bias, Heads, PositionScheme, SchemeDescription, Sizes

N_BUCKETS, FURTHEST = 32, 128
"""Number of buckets for distances, and the distance at which their logarithmic steps end.

Larger distances share the last bucket.
"""


class Relative(PositionScheme):
    """A learned number per head and bucket, the same in all layers (Raffel et al. 2020, section 2.1).

    Shaw et al. 2018 had the idea: a learned vector for each distance.
    """

    about = SchemeDescription(
        title="relative bias",
        name="relative",
        in_brief="+ a learned bias",
        says="Each head adds a parameter to the score of a query and a key. Every short distance between "
        "them has a parameter of its own, and long distances share parameters.",
        formula=r"B_{ij} = T_{\text{bucket}(i,\,j),\,h}, \qquad T \in \mathbb{R}^{32 \times k} \ "
        r"\text{learned}",
        source="Raffel et al. 2020, after Shaw et al. 2018",
    )

    def __init__(self, sizes: Sizes) -> None:
        super().__init__(sizes)
        self.both_sides = sizes.knows_both_sides
        self.initial_deviation = sizes.d_model**-0.5
        self.table = self.drawn(N_BUCKETS, sizes.n_heads)

    def bias(self, q: Heads, k: Heads) -> Bias:
        buckets = relative_buckets(q.shape[2], k.shape[2], both_sides=self.both_sides)
        return rearrange(self.table[buckets.to(q.device)], "query key head -> head query key")

    @classmethod
    def program_lines(cls, sizes: Sizes) -> str:
        return _BOTH_SIDES if sizes.knows_both_sides else _PAST


def relative_buckets(n_queries: int, n_keys: int, *, both_sides: bool) -> Int[Tensor, "query key"]:
    """Return the bucket of every query and key; far distances share buckets in logarithmic steps.

    With `both_sides` the first half of the buckets is for keys up to the query and the second for those
    after it; otherwise all are for the past, and the future, which a causal mask hides, is in bucket 0.
    """
    ahead = torch.arange(n_keys) - torch.arange(n_queries)[:, None]
    n_buckets = N_BUCKETS // 2 if both_sides else N_BUCKETS
    distance = ahead.abs() if both_sides else (-ahead).clamp(min=0)
    n_exact = n_buckets // 2
    # The logarithm to base 2 is exact at powers of 2, where steps begin.
    steps = (distance.clamp(min=1).double() / n_exact).log2() / math.log2(FURTHEST / n_exact)
    far = n_exact + (steps * (n_buckets - n_exact)).floor().long()
    buckets = torch.where(distance < n_exact, distance, far.clamp(max=n_buckets - 1))
    return buckets + n_buckets * (ahead > 0) if both_sides else buckets


_PAST = """
    # Relative bias: distances below 16 have a bucket each, further ones share 16 up to 128 words.
    distance = (torch.arange(n)[:, None] - torch.arange(n)).clamp(min=0)
    far = 16 + (16 / 3 * (distance.clamp(min=1).double() / 16).log2()).floor().long()
    bucket = torch.where(distance < 16, distance, far.clamp(max=31))
    bias = weights["positions.table"][bucket].permute(2, 0, 1)
"""

_BOTH_SIDES = """
    # Relative bias: distances below 8 have a bucket each, further ones share 8 up to 128 words,
    # and as many buckets again are for the words after the query.
    ahead = torch.arange(n) - torch.arange(n)[:, None]
    far = 8 + (2 * (ahead.abs().clamp(min=1).double() / 8).log2()).floor().long()
    bucket = torch.where(ahead.abs() < 8, ahead.abs(), far.clamp(max=15)) + 16 * (ahead > 0)
    bias = weights["positions.table"][bucket].permute(2, 0, 1)
"""
