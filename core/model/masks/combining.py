"""Masks as functions: booleans that say which query may attend to which key, combined with `&`.

True means *may look*, as in torch's `scaled_dot_product_attention` and opposite to the masks of
torch's `nn.Transformer`. Every mask broadcasts to (batch, head, query, key).
"""

import torch
from jaxtyping import Bool, Int
from torch import Tensor
from torch.nn.functional import pad

Allowed = Bool[Tensor, "#batch #head query key"]


def bidirectional(n_queries: int, n_keys: int, *, device: torch.device | None = None) -> Allowed:
    """Return a mask in which every query may attend to every key."""
    return torch.ones(1, 1, n_queries, n_keys, dtype=torch.bool, device=device)


def causal(n_queries: int, n_keys: int, *, device: torch.device | None = None) -> Allowed:
    """Return a mask in which query i may attend to keys j ≤ i (CS 224N note eq 21)."""
    return bidirectional(n_queries, n_keys, device=device).tril()


def window(n_queries: int, n_keys: int, *, width: int, device: torch.device | None = None) -> Allowed:
    """Return a mask in which query i may attend to keys at most `width` positions away, on either side."""
    if width < 0:
        raise ValueError(f"width must be at least 0, got {width}")
    return bidirectional(n_queries, n_keys, device=device).tril(width).triu(-width)


def window_if_any(n: int, *, width: int | None, device: torch.device | None = None) -> Allowed | None:
    """Return the window over `n` words for a given width; None, which narrows nothing, without one."""
    return None if width is None else window(n, n, width=width, device=device)


def prefix(
    n_queries: int, n_keys: int, *, length: int | Int[Tensor, "batch"], device: torch.device | None = None
) -> Bool[Tensor, "#batch 1 query key"]:
    """Return a causal mask in which every query also sees the first `length` keys.

    See Raffel et al. 2020, section 3.2.1. A tensor has a length for each row of a batch.
    """
    if isinstance(length, int) and length < 0:
        raise ValueError(f"length must be at least 0, got {length}")
    lengths = torch.as_tensor(length, device=device).reshape(-1, 1, 1, 1)
    given = torch.arange(n_keys, device=device) < lengths
    return causal(n_queries, n_keys, device=device) | given


def padding(lengths: Int[Tensor, "batch"], n_keys: int) -> Bool[Tensor, "batch 1 1 key"]:
    """Return a mask in which no query may attend to a key beyond the length of its sequence."""
    longest = int(lengths.max())
    if longest > n_keys:
        raise ValueError(f"lengths must be at most n_keys, got {longest} and {n_keys}")
    positions = torch.arange(n_keys, device=lengths.device)
    return (positions < lengths[:, None])[:, None, None, :]


def arbitrary(matrix: Bool[Tensor, "query key"]) -> Bool[Tensor, "1 1 query key"]:
    """Return a mask painted by hand, the same for every sequence and head."""
    if matrix.dtype != torch.bool or matrix.ndim != 2:
        raise ValueError(f"a mask is a matrix of booleans, got {matrix.ndim} axes of {matrix.dtype}")
    return matrix[None, None]


def next_is_hidden(allowed: Allowed) -> Bool[Tensor, "#batch position"]:
    """Return whether the query at each position may not attend to the next word in any head.

    Only at such a position can a model be asked for the next word: elsewhere the answer is among the keys.
    The last position has no next word, so it counts as hidden.
    """
    seen = allowed.any(dim=1).diagonal(offset=1, dim1=-2, dim2=-1)
    return ~pad(seen, (0, 1))
