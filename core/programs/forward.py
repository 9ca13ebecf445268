"""Attention weights of one head, from the words' numbers to the keys that each word attends to."""

from hashlib import blake2b

import numpy as np
import torch
from safetensors.torch import load_file
from torch import Tensor
from torch.nn import functional

from core.pretrained import read

words = ["Zuko", "made", "his", "uncle", "tea"]
tokens = [530, 261, 202, 483, 462]  # their rows in the table of word vectors
layer = 1
head = 0
stage = "softmax"
source = "file"
file = "checkpoints/causal-sinusoidal-4-pre.safetensors"  # or the file that the page Training gave you
folder = "models/bert"
numbers: dict[str, list[list[int]]] = {}
seed = 0
of_positions: dict[str, tuple[tuple[int, ...], float]] = {}
d_model = 48
d_mlp = 192
n_heads = 4
n_key_heads = 4
d_head = 12
n_types = 0
embed_scale = 1.0
scaled_by_root = True
embed_norm = False
point = "embed"
points = ("embed", "rotate", "bias")  # a scheme of each kind is written out below
mask = "named"
amount = 0
no_future = False
flipped: list[tuple[int, int]] = []
window = -1
scaled = True
has_bias = True
qk_norm = False
norm = "pre"
norm_kind = "layer"
epsilon = 1e-5
residual = True
mlp = True
gated = False
activation = "relu"

n = len(words)

if source == "file":
    weights = {name: weight.float() for name, weight in load_file(file).items()}
elif source == "folder":
    parameters = dict(read(folder).model.named_parameters())
    weights = {name.removeprefix("encoder."): weight for name, weight in parameters.items()}
elif source == "numbers":
    weights = {name: torch.tensor(rows).float() for name, rows in numbers.items()}
else:

    def normal(name: str, *shape: int) -> Tensor:
        """Return standard normal numbers from a stream chosen by the seed and the name."""
        digest = blake2b(f"{seed}\0{name}".encode(), digest_size=16).digest()
        stream = np.random.RandomState(np.frombuffer(digest, dtype="<u4"))
        return torch.from_numpy(stream.standard_normal(shape)).float()

    weights = {"embed.weight": torch.stack([normal(f"word {word}", d_model) for word in words])}
    if n_types:
        weights["types.weight"] = normal("types.weight", n_types, d_model)
    if of_positions:
        for name, (shape, deviation) in of_positions.items():
            weights[name] = normal(name, *shape) * deviation
    shapes = {
        "attention.query": (n_heads * d_head, d_model),
        "attention.key": (n_key_heads * d_head, d_model),
        "attention.value": (n_key_heads * d_head, d_model),
        "attention.output": (d_model, n_heads * d_head),
    }
    if mlp:
        shapes |= {"mlp.expand": (d_mlp, d_model), "mlp.contract": (d_model, d_mlp)}
    if gated:
        shapes["mlp.gate"] = (d_mlp, d_model)
    for i in range(layer + 1):
        for part, (outputs, inputs) in shapes.items():
            path = f"blocks.{i}.{part}.weight"
            weights[path] = normal(path, outputs, inputs) * inputs**-0.5


def linear(x: Tensor, name: str) -> Tensor:
    """Multiply by the matrix of this name, and add its bias."""
    if source == "random":
        return x @ weights[f"{name}.weight"].T  # the biases start at 0
    if has_bias:
        return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]
    return x @ weights[f"{name}.weight"].T


def layer_norm(x: Tensor, name: str) -> Tensor:
    """Scale every vector to the same length, in most models about its mean, then by trained gains."""
    if norm_kind == "layer":
        x = x - x.mean(-1, keepdim=True)
    x = x / (x.square().mean(-1, keepdim=True) + epsilon).sqrt()
    if source == "random":
        return x  # the gains start at 1 and the biases at 0
    if norm_kind == "layer":
        return x * weights[f"{name}.gain"] + weights[f"{name}.bias"]
    return x * weights[f"{name}.gain"]


if "rotate" in points:

    def rotate(vectors: Tensor) -> Tensor:
        """Rotate pair i of a vector at position p by p / 10000^(2i/d_head)."""
        exponents = torch.arange(0, d_head, 2).double() / d_head
        angles = torch.arange(n).double()[:, None] / 10_000**exponents
        cos, sin = angles.cos().float(), angles.sin().float()
        first, second = vectors[..., 0::2], vectors[..., 1::2]
        return torch.stack([first * cos - second * sin, first * sin + second * cos], -1).flatten(-2)


if "bias" in points:
    # Linear bias: scores fall with distance, at a slope that differs from head to head.
    slopes = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)
    bias = -slopes[:, None, None] * (torch.arange(n)[:, None] - torch.arange(n)).abs()

# Which query (row) may attend to which key (column).
if mask == "named":
    allowed = torch.ones(n, n).bool().tril()
elif mask == "causal":
    allowed = torch.ones(n, n).tril().bool()
elif mask == "none":
    allowed = torch.ones(n, n).bool()
elif mask == "window":
    allowed = torch.ones(n, n).bool().tril(amount).triu(-amount)
elif mask == "prefix":
    allowed = torch.ones(n, n).bool().tril() | (torch.arange(n) < amount)
elif mask == "padding":
    allowed = (torch.arange(n) < n - amount).repeat(n, 1)
if no_future:
    allowed = allowed.tril()
if window >= 0:
    allowed = allowed.tril(window).triu(-window)
if flipped:
    for query, key in flipped:
        allowed[query, key] = ~allowed[query, key]


def attention(x: Tensor, name: str) -> tuple[Tensor, ...]:
    """Let each head attend with its own slice of the projected vectors."""
    q = linear(x, f"{name}.query").view(n, n_heads, d_head).transpose(0, 1)
    k = linear(x, f"{name}.key").view(n, -1, d_head).transpose(0, 1)
    v = linear(x, f"{name}.value").view(n, -1, d_head).transpose(0, 1)
    if qk_norm:
        q, k = layer_norm(q, f"{name}.query_norm"), layer_norm(k, f"{name}.key_norm")
    if point == "rotate":
        q, k = rotate(q), rotate(k)
    if n_key_heads < n_heads:
        # Several heads share the same keys and values.
        k, v = (one.repeat_interleave(n_heads // n_key_heads, 0) for one in (k, v))
    scores = q @ k.mT / d_head**0.5 if scaled else q @ k.mT
    if point == "bias":
        scores = scores + bias
    pattern = scores.masked_fill(~allowed, -torch.inf).softmax(-1)
    if mask != "named" or flipped:
        pattern = pattern.nan_to_num()  # a word that may attend to nothing has weights of 0
    return q, k, v, scores, pattern, pattern @ v


def activated(x: Tensor) -> Tensor:
    """Apply the nonlinear function of the feed-forward layers."""
    if activation == "gelu":
        return functional.gelu(x)
    if activation == "gelu_tanh":
        return functional.gelu(x, approximate="tanh")
    if activation == "silu":
        return functional.silu(x)
    return x.relu()


def block(x: Tensor, name: str) -> Tensor:
    """Let words attend to each other, and then transform each word separately."""
    entering = layer_norm(x, f"{name}.attention_norm") if norm == "pre" else x
    *_, z = attention(entering, f"{name}.attention")
    change = linear(z.transpose(0, 1).reshape(n, -1), f"{name}.attention.output")
    x = x + change if residual else change
    if norm == "post":
        x = layer_norm(x, f"{name}.attention_norm")
    if mlp:
        entering = layer_norm(x, f"{name}.mlp_norm") if norm == "pre" else x
        hidden = linear(entering, f"{name}.mlp.expand")
        hidden = activated(linear(entering, f"{name}.mlp.gate")) * hidden if gated else activated(hidden)
        change = linear(hidden, f"{name}.mlp.contract")
        x = x + change if residual else change
        if norm == "post":
            x = layer_norm(x, f"{name}.mlp_norm")
    return x


def with_positions(x: Tensor) -> Tensor:
    """Add to each vector the code of its position."""
    if "embed" in points:
        exponents = torch.arange(0, d_model, 2).double() / d_model
        angles = torch.arange(n).double()[:, None] / 10_000**exponents
        x = x + torch.stack([angles.sin(), angles.cos()], -1).flatten(-2)[:, :d_model].float()
    return x


def embedded(tokens: list[int]) -> Tensor:
    """Look up the vectors of the words, and add what the first block needs besides."""
    x = weights["embed.weight"][tokens]
    if scaled_by_root:
        x = x * d_model**0.5
    elif embed_scale != 1:
        x = x * embed_scale
    if stage == "embeddings":
        return x
    if n_types:
        x = x + weights["types.weight"][0]  # the first of two segments
    if stage == "segments":
        return x
    if point == "embed":
        x = with_positions(x)
    if stage == "positions":
        return x
    return layer_norm(x, "embed_norm") if embed_norm else x


def entering_layer(tokens: list[int]) -> Tensor:
    """Carry the words through all blocks below the chosen layer."""
    x = embedded(tokens)
    if layer:
        for i in range(layer):
            x = block(x, f"blocks.{i}")
    return x


def attention_input(tokens: list[int]) -> Tensor:
    """Return the input of queries, keys and values of the chosen layer."""
    x = entering_layer(tokens)
    return layer_norm(x, f"blocks.{layer}.attention_norm") if norm == "pre" else x


x = attention_input(tokens)
q, k, v, scores, pattern, z = attention(x, f"blocks.{layer}.attention")

if __name__ == "__main__":
    for word, row in zip(words, pattern[head].tolist(), strict=True):
        print(f"{word:>12}", *(f"{weight:.3f}" for weight in row))
    if mask != "named" or flipped:
        # The sums of the rows if the masked weights were merely removed.
        kept = (scores[head].softmax(-1) * allowed).sum(-1)
        print(f"{'kept':>12}", *(f"{share:.3f}" for share in kept.tolist()))
