"""A query and a key with rotary positions, both shifted, and each pair's part of their score."""

import torch
from torch import Tensor

from core.programs.forward import d_head, head, k, q, scaled

query = 2
key = 1
moved = 5


def turned(vector: Tensor, by: int) -> Tensor:
    """Rotate each pair of neighbouring dimensions by a number of positions."""
    angles = by / 10_000 ** (torch.arange(0, d_head, 2).double() / d_head)
    first, second = vector.double()[0::2], vector.double()[1::2]
    cos, sin = angles.cos(), angles.sin()
    return torch.stack([first * cos - second * sin, first * sin + second * cos], -1)


of_query = turned(q[head, query], moved)
of_key = turned(k[head, key], moved)
products = (of_query * of_key).sum(-1)
parts = products / d_head**0.5 if scaled else products
for pair in torch.cat([of_query, of_key, parts[:, None]], -1).tolist():
    print(*(f"{number:.3f}" for number in pair))
