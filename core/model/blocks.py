"""One block of a Transformer: attention, optional cross-attention, then a feed-forward layer."""

from jaxtyping import Bool, Float
from torch import Tensor, nn

from core.model.activations import ACTIVATIONS
from core.model.attention import MultiHeadAttention
from core.model.config import ModelConfig
from core.model.masks.combining import bidirectional
from core.model.norm import make_norm
from core.model.positions.base import PositionScheme
from core.model.positions.none import NoPositions
from core.model.trace import SILENT, Recorder

Stream = Float[Tensor, "batch position d_model"]


class FeedForward(nn.Module):
    """W₂ f(W₁x + b₁) + b₂, for each position alone; f is ReLU in CS 224N note eq 17.

    Gated, it is W₂ (f(W₀x + b₀) ⊙ (W₁x + b₁)) + b₂ (Shazeer 2020, section 2).
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        assert config.d_mlp is not None, "the configuration fills d_mlp in"
        self.activation, self.gated = ACTIVATIONS[config.activation], config.gated
        self.expand = nn.Linear(config.d_model, config.d_mlp, bias=config.bias)
        self.contract = nn.Linear(config.d_mlp, config.d_model, bias=config.bias)
        if config.gated:
            self.gate = nn.Linear(config.d_model, config.d_mlp, bias=config.bias)

    def forward(self, x: Stream, *, trace: Recorder = SILENT) -> Stream:
        x = trace("input", x)
        if self.gated:
            hidden = self.activation(trace("gate", self.gate(x))) * self.expand(x)
        else:
            hidden = self.activation(self.expand(x))
        return trace("out", self.contract(trace("hidden", hidden)))


class Block(nn.Module):
    """Attention and feed-forward, each with its residual connection and layer normalisation.

    Pre-norm normalises the input of each part, post-norm the sum after it (CS 224N note eq 30–31). With
    `cross`, the block also attends to `memory`, the output of an encoder (eq 33–36). Records the `input` of
    each part, `mid` after attention, `cross` after cross-attention and `out` at its end.
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
            self.no_positions = NoPositions(config)
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
        memory: Float[Tensor, "batch memory d_model"] | None = None,
        memory_allowed: Bool[Tensor, "#batch #head #query memory"] | None = None,
        trace: Recorder = SILENT,
    ) -> Stream:
        def attend(x: Stream) -> Stream:
            x = trace("attention.input", x)
            return self.attention(x, x, allowed=allowed, positions=positions, trace=trace.at("attention"))

        def consult(x: Stream) -> Stream:
            return self._consult(x, memory, memory_allowed, trace.at("cross_attention"))

        def feed(x: Stream) -> Stream:
            return self.mlp(x, trace=trace.at("mlp"))

        kept = self._kept
        if self.pre_norm:
            x = trace("mid", kept(x) + attend(self.attention_norm(x)))
            x = trace("cross", kept(x) + consult(self.cross_attention_norm(x))) if self.has_cross else x
            return trace("out", kept(x) + feed(self.mlp_norm(x)) if self.has_mlp else x)
        x = trace("mid", self.attention_norm(kept(x) + attend(x)))
        x = trace("cross", self.cross_attention_norm(kept(x) + consult(x))) if self.has_cross else x
        return trace("out", self.mlp_norm(kept(x) + feed(x)) if self.has_mlp else x)

    def _kept(self, x: Stream) -> Stream | float:
        """Return the residual term of a part: `x`, or 0 without residual connections."""
        return x if self.residual else 0.0

    def _consult(
        self, x: Stream, memory: Tensor | None, memory_allowed: Tensor | None, trace: Recorder
    ) -> Stream:
        """Return the cross-attention of `x` to `memory`, without positions: memory is another sequence."""
        assert memory is not None, "a block with cross-attention is given the encoder's output"
        if memory_allowed is None:
            memory_allowed = bidirectional(x.shape[1], memory.shape[1], device=x.device)
        x, nowhere = trace("input", x), self.no_positions
        return self.cross_attention(x, memory, allowed=memory_allowed, positions=nowhere, trace=trace)


def norm_layer(config: ModelConfig) -> nn.Module:
    """Return the normalisation that the configuration names, or the identity if it has none."""
    if config.norm == "none":
        return nn.Identity()
    return make_norm(config.norm_kind, config.d_model, epsilon=config.epsilon)
