"""Standard, narrow and wide heads: weights and operations of one attention layer."""

import torch
from torch import Tensor

d = 64
k = 4
n = 16

kinds = {"standard": (d, d // k), "narrow": (d // k, d // k), "wide": (d, d)}


def attention(x: Tensor, q: Tensor, k: Tensor, v: Tensor, output: Tensor) -> Tensor:
    """Return one layer of heads, each with separate matrices."""
    pattern = ((x @ q) @ (x @ k).mT / q.shape[-1] ** 0.5).softmax(-1)
    z = pattern @ (x @ v)  # head, word, d_head
    return z.transpose(0, 1).flatten(1) @ output


x = torch.randn(n, d)
for name, (d_in, d_head) in kinds.items():
    matrices = [torch.randn(k, d_in, d_head) * d_in**-0.5 for _ in range(3)]
    output = torch.randn(k * d_head, d)
    given = x.view(n, k, d_in).transpose(0, 1) if name == "narrow" else x
    q, keys, v = matrices
    assert attention(given, q, keys, v, output).shape == (n, d)
    n_weights = sum(matrix.numel() for matrix in (*matrices, output))
    print(name, n_weights, 2 * n * n_weights + k * 4 * n**2 * d_head)
