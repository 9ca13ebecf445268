"""Linear bias: what each head adds to a score, by the words from the query to the key."""

import torch

n = 8
ahead = 0  # so many of the keys come after the query
n_heads = 4

offsets = torch.arange(n) - (n - 1 - ahead)
slopes = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)
bias = -slopes[:, None] * offsets.abs()
for offset, row in zip(offsets.tolist(), bias.T.tolist(), strict=True):
    print(f"{offset:>4}", *(f"{value:.3f}" for value in row))
