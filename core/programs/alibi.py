"""Linear bias: the amount that each head adds to a score, by the distance from query to key."""

import torch

n = 8
ahead = 0  # number of keys after the query
n_heads = 4

offsets = torch.arange(n) - (n - 1 - ahead)
slopes = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)
bias = -slopes[:, None] * offsets.abs()
for offset, row in zip(offsets.tolist(), bias.T.tolist(), strict=True):
    print(f"{offset:>4}", *(f"{value:.3f}" for value in row))
