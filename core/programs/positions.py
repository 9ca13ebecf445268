"""The effect of the position scheme on a sentence of any words: a row for each position."""

import torch

from core.programs.forward import (
    bias,
    d_head,
    d_model,
    head,
    n,
    n_heads,
    point,
    rotate,
    with_positions,
    words,
)

if point == "embed":
    result = with_positions(torch.zeros(n, d_model))
elif point == "rotate":
    rotated = rotate(torch.tensor([1.0, 0.0]).repeat(n_heads, n, d_head // 2))[0]  # every pair from (1, 0)
    result = torch.atan2(rotated[:, 1::2], rotated[:, 0::2]).rad2deg()
else:
    result = bias[head]
for word, row in zip(words, result.tolist(), strict=True):
    print(f"{word:>12}", *(f"{number:.3f}" for number in row))
