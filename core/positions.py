"""Position schemes: five ways to tell a Transformer where a word stands.

A scheme enters through one of three doors: it may change the word vectors (`embed`), the queries and
keys (`rotate`) or the scores (`bias`). Each scheme overrides one door, so attention has no branches.
"""

import math

import torch
from einops import rearrange
from jaxtyping import Float
from torch import Tensor, nn

from core.config import ModelConfig, Positions

LONGEST_WAVELENGTH = 10_000.0

Vectors = Float[Tensor, "batch position d_model"]
Heads = Float[Tensor, "batch head position d_head"]
Bias = Float[Tensor, "head query key"]


class PositionScheme(nn.Module):
    """No positions at all: every door gives back what came in. The other schemes override one."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()

    def embed(self, x: Vectors) -> Vectors:
        """Word vectors with whatever the scheme adds to them."""
        return x

    def rotate(self, q_or_k: Heads) -> Heads:
        """Queries or keys as the scheme turns them."""
        return q_or_k

    def bias(self, q: Heads, k: Heads) -> Bias | None:
        """What the scheme adds to the scaled scores of these queries and keys, if anything."""
        return None


class Learned(PositionScheme):
    """A learned vector per position, added to the word vector (CS 224N note eq 12)."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__(config)
        self.table = nn.Parameter(torch.empty(config.max_len, config.d_model))
        nn.init.normal_(self.table, std=math.sqrt(0.5))

    def embed(self, x: Vectors) -> Vectors:
        n, longest = x.shape[1], len(self.table)
        if n > longest:
            raise ValueError(f"learned positions end at max_len = {longest}, got {n} words")
        return x + self.table[:n]


class Sinusoidal(PositionScheme):
    """Sines and cosines of falling frequency, added to the word vector."""

    def embed(self, x: Vectors) -> Vectors:
        return x + sinusoids(x.shape[1], x.shape[2]).to(x)


class LinearBias(PositionScheme):
    """ALiBi: scores fall linearly with distance, at a slope of its own for each head."""

    def bias(self, q: Heads, k: Heads) -> Bias:
        return linear_bias(q.shape[2], k.shape[2], slopes=alibi_slopes(q.shape[1])).to(q)


class Rotary(PositionScheme):
    """Queries and keys turned by an angle that grows with the position; only differences remain."""

    def rotate(self, q_or_k: Heads) -> Heads:
        return rotate_pairs(q_or_k, rotary_angles(*q_or_k.shape[2:]))


SCHEMES: dict[Positions, type[PositionScheme]] = {
    "none": PositionScheme,
    "learned": Learned,
    "sinusoidal": Sinusoidal,
    "alibi": LinearBias,
    "rotary": Rotary,
}


def _frequencies(width: int) -> Float[Tensor, "pair"]:
    """10000^(−2i/width) for each pair of dimensions i, in double precision."""
    return LONGEST_WAVELENGTH ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)


def sinusoids(n_positions: int, d_model: int) -> Float[Tensor, "position d_model"]:
    """sin(p / 10000^(2i/d)) in dimension 2i and the cosine in 2i + 1 (FNLP slides; Vaswani 2017, §3.5)."""
    angles = torch.arange(n_positions, dtype=torch.float64)[:, None] * _frequencies(d_model)
    waves = torch.stack([angles.sin(), angles.cos()], dim=-1)
    return rearrange(waves, "position pair wave -> position (pair wave)")[:, :d_model]


def alibi_slopes(n_heads: int) -> Float[Tensor, "head"]:
    """2^(−8h/H) for head h = 1 … H (Press et al. 2022)."""
    return 2.0 ** (-8.0 * torch.arange(1, n_heads + 1, dtype=torch.float64) / n_heads)


def linear_bias(n_queries: int, n_keys: int, *, slopes: Float[Tensor, "head"]) -> Bias:
    """−slope · |i − j|: nearer words get more.

    With a slope of 1 this is the bias of CS 224N note eq 13, whose last entry should read −(n − 1 − i)
    when positions count from 0. Under a causal mask it is ALiBi as published.
    """
    distance = torch.arange(n_queries)[:, None] - torch.arange(n_keys)
    return -slopes[:, None, None] * distance.abs()


def rotary_angles(n_positions: int, d_head: int) -> Float[Tensor, "position pair"]:
    """p · 10000^(−2i/d_head), in radians: how far pair i turns at position p (Su et al. 2021, eq 15)."""
    return torch.arange(n_positions, dtype=torch.float64)[:, None] * _frequencies(d_head)


def rotate_pairs(vectors: Heads, angles: Float[Tensor, "position pair"]) -> Heads:
    """Each pair of neighbouring dimensions (2i, 2i + 1) turned by its angle, anticlockwise."""
    # An angle of many turns needs all its digits; its sine and cosine fit the vectors' precision.
    first, second = vectors[..., 0::2], vectors[..., 1::2]
    cos, sin = angles.cos().to(vectors), angles.sin().to(vectors)
    turned = torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1)
    return rearrange(turned, "batch head position pair two -> batch head position (pair two)")
