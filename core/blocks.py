"""One block of a Transformer: attention, perhaps cross-attention, then a feed-forward layer."""

from collections.abc import Callable

from jaxtyping import Bool, Float
from torch import Tensor, nn

from core.attention import MultiHeadAttention
from core.config import ModelConfig
from core.masks import bidirectional
from core.norm import LayerNorm
from core.positions import PositionScheme
from core.trace import SILENT, Recorder

Stream = Float[Tensor, "batch position d_model"]


class FeedForward(nn.Module):
    """W₂ ReLU(W₁x + b₁) + b₂, on each position alone (CS 224N note eq 17)."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        assert config.d_mlp is not None, "the configuration fills d_mlp in"
        self.expand = nn.Linear(config.d_model, config.d_mlp, bias=config.bias)
        self.contract = nn.Linear(config.d_mlp, config.d_model, bias=config.bias)

    def forward(self, x: Stream, *, trace: Recorder = SILENT) -> Stream:
        hidden = trace("hidden", self.expand(x).relu())
        return trace("out", self.contract(hidden))


class Block(nn.Module):
    """Attention and feed-forward, each with its residual connection and layer normalisation.

    Pre-norm normalises what enters each part, post-norm the sum that leaves it (CS 224N note eq 30–31).
    With `cross`, the block also looks at `memory`, the output of an encoder (eq 33–36).
    Records `mid` after attention, `cross` after cross-attention and `out` at its end.
    """

    def __init__(self, config: ModelConfig, *, cross: bool = False) -> None:
        super().__init__()
        self.pre_norm = config.norm == "pre"
        self.residual = config.residual
        self.attention_norm = norm_layer(config)
        self.attention = MultiHeadAttention(config)
        if cross:
            self.cross_attention_norm = norm_layer(config)
            self.cross_attention = MultiHeadAttention(config)
            self.no_positions = PositionScheme(config)
        if config.mlp:
            self.mlp_norm = norm_layer(config)
            self.mlp = FeedForward(config)
        self.has_cross, self.has_mlp = cross, config.mlp

    def forward(
        self,
        x: Stream,
        *,
        allowed: Bool[Tensor, "#batch #head query key"],
        positions: PositionScheme,
        memory: Float[Tensor, "batch source d_model"] | None = None,
        memory_allowed: Bool[Tensor, "#batch #head #query source"] | None = None,
        trace: Recorder = SILENT,
    ) -> Stream:
        def attend(x: Stream) -> Stream:
            return self.attention(x, x, allowed=allowed, positions=positions, trace=trace.at("attention"))

        x = trace("mid", self._around(self.attention_norm, x, attend))
        if self.has_cross:
            assert memory is not None, "a block with cross-attention is given the encoder's output"
            x = trace("cross", self._look_at(memory, memory_allowed, x, trace))
        if self.has_mlp:
            x = self._around(self.mlp_norm, x, lambda x: self.mlp(x, trace=trace.at("mlp")))
        return trace("out", x)

    def _look_at(self, memory: Tensor, memory_allowed: Tensor | None, x: Stream, trace: Recorder) -> Stream:
        if memory_allowed is None:
            memory_allowed = bidirectional(x.shape[1], memory.shape[1], device=x.device)

        def attend(x: Stream) -> Stream:
            return self.cross_attention(
                x,
                memory,
                allowed=memory_allowed,
                positions=self.no_positions,
                trace=trace.at("cross_attention"),
            )

        return self._around(self.cross_attention_norm, x, attend)

    def _around(self, norm: nn.Module, x: Stream, part: Callable[[Stream], Stream]) -> Stream:
        """`part` of `x` inside its residual connection and its layer normalisation."""
        if self.pre_norm:
            return self._add(x, part(norm(x)))
        return norm(self._add(x, part(x)))

    def _add(self, x: Stream, change: Stream) -> Stream:
        return x + change if self.residual else change


def norm_layer(config: ModelConfig) -> nn.Module:
    """Layer normalisation, or nothing when the configuration has none."""
    return nn.Identity() if config.norm == "none" else LayerNorm(config.d_model)
