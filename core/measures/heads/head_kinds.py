"""Attention with heads of three kinds, standard, narrow and wide: as a module and as counts.

standard: every head projects the whole vector to d/k numbers (CS 224N note §3.1). narrow: every head is
given its own slice of the vector and nothing else. wide: every head keeps the whole width (FNLP slides).
"""

from collections.abc import Iterable

import pandas as pd
import torch
from einops import rearrange
from jaxtyping import Bool, Float
from torch import Tensor, nn

from core.measures.distance import costs
from core.measures.distance.costs import HEAD_KINDS, HeadKind
from core.model.attention import attention_pattern, attention_scores
from core.model.initialisation import initialise, normal

WORDS_COMPARED = 7


class HeadsOfKind(nn.Module):
    """One attention layer without biases whose heads are of one kind.

    `query`, `key` and `value` hold the matrices of all heads, (head, d_in, d_head); `output` takes what the
    heads return, side by side, back to d_model.
    """

    def __init__(self, heads: HeadKind, *, d_model: int, n_heads: int) -> None:
        super().__init__()
        d_in, d_head = costs.head_widths(heads, d_model=d_model, n_heads=n_heads)
        self.heads, self.n_heads, self.scale = heads, n_heads, d_head**-0.5
        self.query, self.key, self.value = (
            nn.Parameter(torch.empty(n_heads, d_in, d_head)) for _ in range(3)
        )
        self.output = nn.Parameter(torch.empty(n_heads * d_head, d_model))

    def forward(
        self,
        x: Float[Tensor, "batch word d_model"],
        *,
        allowed: Bool[Tensor, "#batch #head #word word"],
    ) -> Float[Tensor, "batch word d_model"]:
        """Words of `x` attend to each other where `allowed`."""
        given = self._given(x)
        q, k, v = given @ self.query, given @ self.key, given @ self.value
        pattern = attention_pattern(attention_scores(q, k, scale=self.scale), allowed)
        z = rearrange(pattern @ v, "batch head word d_head -> batch word (head d_head)")
        return z @ self.output

    def _given(self, x: Float[Tensor, "batch word d_model"]) -> Float[Tensor, "batch #head word d_in"]:
        """What each head sees of every word: a slice of its vector, or all of it."""
        if self.heads == "narrow":
            return rearrange(x, "batch word (head d_in) -> batch head word d_in", head=self.n_heads)
        return rearrange(x, "batch word d_in -> batch 1 word d_in")


def torchs(ours: HeadsOfKind) -> nn.MultiheadAttention:
    """torch's own multi-head attention with the weights of our standard heads."""
    d_model = ours.output.shape[1]
    dtype = ours.output.dtype
    theirs = nn.MultiheadAttention(d_model, ours.n_heads, bias=False, batch_first=True, dtype=dtype)
    stacked = [rearrange(part, "head d_in d_head -> (head d_head) d_in") for part in _projections(ours)]
    state = {"in_proj_weight": torch.cat(stacked).data, "out_proj.weight": ours.output.T.data}
    theirs.load_state_dict(state)
    return theirs


def distance_to_torch(*, d_model: int, n_heads: int, seed: int = 0) -> float:
    """How far our standard heads are from torch's at most, with the same random weights on random words.

    In double precision, where rounding cannot be taken for a difference.
    """
    ours = HeadsOfKind("standard", d_model=d_model, n_heads=n_heads)
    initialise(ours, seed=seed)
    ours.double()
    x = normal((1, WORDS_COMPARED, d_model), seed=seed, name="words").double()
    allowed = torch.ones(1, 1, WORDS_COMPARED, WORDS_COMPARED, dtype=torch.bool)
    with torch.inference_mode():
        theirs, _ = torchs(ours)(x, x, x, need_weights=False)
        return float((ours(x, allowed=allowed) - theirs).abs().max())


def kinds_table(n_heads: Iterable[int], *, d_model: int, n_words: int) -> pd.DataFrame:
    """What a layer of every kind costs, for each number of heads.

    Columns `kind`, `heads`, `matrix` (rows and columns of one head's query matrix, such as `64 × 16`),
    `parameters` and `operations` (of one forward pass over `n_words` words).
    """
    rows = [
        (
            kind,
            count,
            " × ".join(map(str, costs.head_widths(kind, d_model=d_model, n_heads=count))),
            costs.head_parameters(kind, d_model=d_model, n_heads=count),
            costs.head_operations(kind, n_words, d_model=d_model, n_heads=count),
        )
        for kind in HEAD_KINDS
        for count in n_heads
    ]
    return pd.DataFrame(rows, columns=["kind", "heads", "matrix", "parameters", "operations"])


def _projections(layer: HeadsOfKind) -> tuple[Tensor, Tensor, Tensor]:
    return layer.query, layer.key, layer.value
