"""Attention: queries compared with keys, a softmax over the allowed keys, values averaged by it."""

import math

import torch
from einops import rearrange, repeat
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention

from core.model.config import ModelConfig
from core.model.norm import make_norm
from core.model.positions import PositionScheme
from core.model.trace import SILENT, Recorder

# With each of torch's kernels except cuDNN's, a query with no allowed key has an output of zeros: on
# CPUs with torch 2.13, on NVIDIA GPUs with torch 2.11.
torch.backends.cuda.enable_cudnn_sdp(False)


def attention_scores(
    q: Float[Tensor, "batch head query d_head"],
    k: Float[Tensor, "batch head key d_head"],
    *,
    scale: float = 1.0,
    bias: Float[Tensor, "head query key"] | None = None,
) -> Float[Tensor, "batch head query key"]:
    """Return how well each query matches each key: scale · q·k + bias (CS 224N note eq 8, 32).

    The scores are scaled and biased, not yet masked.
    """
    scores = q @ rearrange(k, "batch head key d_head -> batch head d_head key") * scale
    return scores if bias is None else scores + bias


def attention_pattern(
    scores: Float[Tensor, "batch head query key"],
    allowed: Bool[Tensor, "#batch #head #query key"],
) -> Float[Tensor, "batch head query key"]:
    """Return the softmax over the allowed keys; a query with no allowed key attends to nothing.

    Masked scores become −∞, so their weights are exactly 0 at every precision. A row with no allowed
    key keeps its scores through the softmax and is zeroed after it: neither it nor its gradient is NaN.
    """
    sees_something = allowed.any(dim=-1, keepdim=True)
    # Adding a mask takes half as long as filling one in, and most masks leave every query a key.
    hidden = torch.zeros_like(allowed, dtype=scores.dtype).masked_fill(~allowed & sees_something, -math.inf)
    pattern = (scores + hidden).softmax(dim=-1)
    return pattern if sees_something.all() else pattern.masked_fill(~allowed, 0.0)


def fused_attention(
    q: Float[Tensor, "batch head query d_head"],
    k: Float[Tensor, "batch head key d_head"],
    v: Float[Tensor, "batch head key d_head"],
    allowed: Bool[Tensor, "#batch #head #query key"],
    *,
    scale: float = 1.0,
    bias: Float[Tensor, "head query key"] | None = None,
) -> Float[Tensor, "batch head query d_head"]:
    """Compute `attention_pattern(attention_scores(…)) @ v` in one call, without keeping scores or pattern.

    The result is the same up to rounding, and several times as fast for long sentences.
    """
    mask = allowed if bias is None else bias.masked_fill(~allowed, -math.inf)
    return scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=scale)


class MultiHeadAttention(nn.Module):
    """Several attentions side by side, each in its own slice of the projected vectors.

    Heads may share keys and values in groups; `k` and `v` are still recorded for each head. Records `q` and
    `k` as they enter the dot product (after any norm and rotation), `v`, the `bias` of the position scheme if
    it has one, `scores` (scaled and biased, not masked), `allowed`, `pattern` (after mask and softmax), `z`
    (weighted values of each head) and `out`. If the trace listens to neither scores nor pattern, they are not
    made: torch computes `z` at once.
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.n_heads, self.d_head = config.n_heads, config.d_head
        self.sharing = config.n_heads // config.n_key_heads
        self.scale = config.score_scale
        width, shared_width = config.n_heads * config.d_head, config.n_key_heads * config.d_head
        self.query = nn.Linear(config.d_model, width, bias=config.bias)
        self.key = nn.Linear(config.d_model, shared_width, bias=config.bias)
        self.value = nn.Linear(config.d_model, shared_width, bias=config.bias)
        self.output = nn.Linear(width, config.d_model, bias=config.bias)
        self.qk_norm = config.qk_norm
        self.query_norm, self.key_norm = _norm_of_heads(config), _norm_of_heads(config)

    def forward(
        self,
        x: Float[Tensor, "batch query d_model"],
        memory: Float[Tensor, "batch key d_model"],
        *,
        allowed: Bool[Tensor, "#batch #head #query key"],
        positions: PositionScheme,
        trace: Recorder = SILENT,
    ) -> Float[Tensor, "batch query d_model"]:
        """Let words of `x` attend to words of `memory`; in self-attention the two are the same."""
        q = trace("q", positions.rotate(self.query_norm(self._heads(self.query(x)))))
        k = trace("k", self._shared(positions.rotate(self.key_norm(self._heads(self.key(memory))))))
        v = trace("v", self._shared(self._heads(self.value(memory))))
        bias = positions.bias(q, k)
        if bias is not None:
            bias = trace("bias", bias)
        allowed = trace("allowed", allowed)
        if trace.listens("scores", "pattern"):
            scores = trace("scores", attention_scores(q, k, scale=self.scale, bias=bias))
            pattern = trace("pattern", attention_pattern(scores, allowed))
            z = trace("z", pattern @ v)
        else:
            z = trace("z", fused_attention(q, k, v, allowed, scale=self.scale, bias=bias))
        return trace("out", self.output(rearrange(z, "batch head query d_head -> batch query (head d_head)")))

    def slice_of(self, head: int) -> slice:
        """Return the slice of a head: rows of the query map, columns of the output map."""
        return slice(head * self.d_head, (head + 1) * self.d_head)

    def shared_slice_of(self, head: int) -> slice:
        """Return the rows of the keys and values that the head uses, perhaps shared with others."""
        return self.slice_of(head // self.sharing)

    def _heads(self, x: Float[Tensor, "batch word width"]) -> Float[Tensor, "batch head word d_head"]:
        return rearrange(x, "batch word (head d_head) -> batch head word d_head", d_head=self.d_head)

    def _shared(self, x: Float[Tensor, "batch group word d_head"]) -> Float[Tensor, "batch head word d_head"]:
        """Repeat the keys or values of each group for every head of the group."""
        return repeat(x, "batch group word d_head -> batch (group sharing) word d_head", sharing=self.sharing)


def _norm_of_heads(config: ModelConfig) -> nn.Module:
    """Return the norm of the queries or of the keys of each head; most models have none."""
    if not config.qk_norm:
        return nn.Identity()
    return make_norm(config.norm_kind, config.d_head, epsilon=config.epsilon)
