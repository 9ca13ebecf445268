"""The matrix of one stage of a head, or the lookup of one word at a temperature."""

import torch

from core.programs.forward import (
    allowed,
    bias,
    d_head,
    embedded,
    entering_layer,
    head,
    k,
    layer,
    linear,
    n,
    n_heads,
    n_key_heads,
    pattern,
    point,
    q,
    scaled,
    scores,
    stage,
    tokens,
    v,
    words,
    x,
    z,
)

changes: list[tuple[str, int, int, float]] = []
word = 0
temperature = 1.0
is_uniform = False

if changes:
    # Changes by hand, and their consequences.
    for matrix, query, column, value in changes:
        if matrix != "scores":
            {"q": q, "k": k, "v": v}[matrix][head, query, column] = value
    scores = q @ k.mT / d_head**0.5 if scaled else q @ k.mT
    if point == "bias":
        scores = scores + bias
    for matrix, query, column, value in changes:
        if matrix == "scores":
            scores[head, query, column] = value
    pattern = scores.masked_fill(~allowed, -torch.inf).softmax(-1)
    z = pattern @ v

if stage in ("embeddings", "segments", "positions", "embedding norm"):
    result = embedded(tokens)
elif stage == "states":
    result = entering_layer(tokens)
elif stage == "norm":
    result = x
elif stage == "raw q":
    result = linear(x, f"blocks.{layer}.attention.query").view(n, n_heads, d_head)[:, head]
elif stage == "raw k":
    group = head * n_key_heads // n_heads
    result = linear(x, f"blocks.{layer}.attention.key").view(n, n_key_heads, d_head)[:, group]
elif stage == "q":
    result = q[head]
elif stage == "k":
    result = k[head]
elif stage == "v":
    result = v[head]
elif stage == "scores":
    result = q[head] @ k[head].mT
elif stage == "scale":
    result = q[head] @ k[head].mT / d_head**0.5
elif stage == "bias":
    result = scores[head]
elif stage == "mask":
    result = scores[head].masked_fill(~allowed, -torch.inf)
elif stage == "softmax":
    result = pattern[head]
elif stage == "weighted sum":
    result = z[head]
elif stage == "heads":
    result = z.transpose(0, 1).reshape(n, -1)
elif stage == "output":
    result = linear(z.transpose(0, 1).reshape(n, -1), f"blocks.{layer}.attention.output")
elif stage == "lookup":
    seen = scores[head, word].masked_fill(~allowed[word], -torch.inf)
    if is_uniform:
        found = seen.isfinite().float()  # the limit of softmax(seen / temperature)
        found = found / found.sum()
    elif temperature == 0:
        found = (seen >= seen.max() - 1e-5).float()  # the limit of softmax(seen / temperature)
        found = found / found.sum()
    else:
        found = (seen / temperature).softmax(-1)
    result = found[:, None]

for label, row in zip(words, result.tolist(), strict=True):
    print(f"{label:>12}", *(f"{number:.3f}" for number in row))
if stage == "lookup":
    print("output", *(f"{number:.3f}" for number in (found @ v[head]).tolist()))
