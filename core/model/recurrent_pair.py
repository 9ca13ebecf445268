"""Two recurrent networks that translate: the decoder begins where the encoder ends."""

from dataclasses import dataclass
from typing import get_args

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from core.model.alignment import SCORE_FUNCTIONS, AlignedAttention
from core.model.models import check_tokens
from core.model.recurrent import NETWORKS, Memory, Network, RecurrentConfig, States, rows_of, unroll_layers
from core.model.trace import SILENT, Recorder

FIXED_VECTOR = "none"
"""Name of the attention of a decoder that sees only the last state of its encoder."""

ATTENTIONS = (FIXED_VECTOR, *SCORE_FUNCTIONS)

Source = Int[Tensor, "batch source"]
Target = Int[Tensor, "batch target"]


@dataclass(frozen=True, kw_only=True)
class RecurrentPairConfig:
    """Configuration of a recurrent encoder–decoder; equal configurations build equal models.

    `vocab_size` is the size of the target vocabulary, whose words it predicts. `attention` is one of
    ATTENTIONS. Raises ValueError for a size below 1, an unknown network or an unknown attention.
    """

    source_vocab_size: int
    vocab_size: int
    network: Network = "lstm"
    attention: str = FIXED_VECTOR
    d_model: int = 64
    n_layers: int = 1

    def __post_init__(self) -> None:
        for name in ("source_vocab_size", "vocab_size", "d_model", "n_layers"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, got {getattr(self, name)}")
        if self.network not in NETWORKS:
            raise ValueError(f"network must be one of {', '.join(get_args(Network))}, got {self.network!r}")
        if self.attention not in ATTENTIONS:
            raise ValueError(f"attention must be one of {', '.join(ATTENTIONS)}, got {self.attention!r}")


@dataclass(frozen=True, eq=False)
class Encoded:
    """An encoded source: the states of the last layer, and the memory at the end of each layer.

    `allowed` is True for states of words and False for padding.
    """

    states: Float[Tensor, "batch source d_model"]
    ends: tuple[Memory, ...]
    allowed: Bool[Tensor, "#batch 1 1 source"]

    def rows(self, chosen: Int[Tensor, "row"]) -> "Encoded":
        """Return the sentences of these rows, in this order; one may come several times."""
        return Encoded(self.states[chosen], rows_of(self.ends, chosen), self.allowed[chosen])


class RecurrentStack(nn.Module):
    """Word vectors, multiplied by `scale`, and recurrent layers. Records `embed`, `layers.0` and so on."""

    def __init__(
        self, vocab_size: int, config: RecurrentConfig | RecurrentPairConfig, *, scale: float = 1.0
    ) -> None:
        super().__init__()
        self.vocab_size, self.scale = vocab_size, scale
        self.embed = nn.Embedding(vocab_size, config.d_model)
        self.layers = nn.ModuleList(NETWORKS[config.network](config.d_model) for _ in range(config.n_layers))

    def forward(
        self,
        tokens: Int[Tensor, "batch position"],
        *,
        starts: tuple[Memory, ...] | None = None,
        trace: Recorder = SILENT,
    ) -> list[tuple[States, ...]]:
        """Return the states of each layer after each word; each begins at its `starts`, or at zero."""
        check_tokens(tokens, self.vocab_size)
        x = trace("embed", self.embed(tokens) * self.scale)
        return unroll_layers(self.layers, x, starts=starts, trace=trace)


class RecurrentEncoderDecoder(nn.Module):
    """An encoder whose last state a decoder begins with (Sutskever et al. 2014), perhaps with attention.

    With the fixed vector alone, ŷ_t = softmax(E h_t + b). With attention, ŷ_t = softmax(E s_t + b) and s_t =
    W [h_t; c_t] + b', where c_t is the context of step t (seq2seq slides, which have no biases and one matrix
    for E W). E are the decoder's word vectors.

    Records both networks under `encoder` and `decoder`, the fixed vector as `encoder.layers.0.vector` (with
    `vector_cell` of an LSTM), and `decoder.logits`. With attention it also records `scores`, `allowed`,
    `alignment`, `context` and their result `decoder.combined`.
    """

    def __init__(self, config: RecurrentPairConfig) -> None:
        super().__init__()
        self.config = config
        self.encoder = RecurrentStack(config.source_vocab_size, config)
        # As in a tied Transformer, word vectors are as small as an output layer needs, and are scaled up.
        self.decoder = RecurrentStack(config.vocab_size, config, scale=config.d_model**0.5)
        self.has_attention = config.attention != FIXED_VECTOR
        if self.has_attention:
            self.attention = AlignedAttention(config.attention, config.d_model)
            self.combine = nn.Linear(2 * config.d_model, config.d_model)
        self.unembed = nn.Linear(config.d_model, config.vocab_size)
        self.unembed.weight = self.decoder.embed.weight

    def forward(
        self,
        tokens: tuple[Source, Target],
        *,
        source_allowed: Bool[Tensor, "#batch 1 1 source"] | None = None,
        trace: Recorder = SILENT,
    ) -> Float[Tensor, "batch target vocab"]:
        """Return logits of the next word after each target word, from `tokens`: source and target.

        `source_allowed` is False for padding after the source.
        """
        source, target = tokens
        encoded = self.encode(source, source_allowed=source_allowed, trace=trace)
        states = self.decoder(target, starts=encoded.ends, trace=trace.at("decoder"))
        return self.read_out(states[-1][0], encoded, trace=trace)

    def encode(
        self,
        source: Source,
        *,
        source_allowed: Bool[Tensor, "#batch 1 1 source"] | None = None,
        trace: Recorder = SILENT,
    ) -> Encoded:
        """Return the states of the source and the states after its last word, before any padding."""
        place = trace.at("encoder")
        layers = self.encoder(source, trace=place)
        allowed = torch.ones_like(source, dtype=torch.bool)[:, None, None]
        if source_allowed is not None:
            allowed = allowed & source_allowed
        rows, positions = (torch.arange(n, device=source.device) for n in source.shape)
        last = (allowed[:, 0, 0] * positions).amax(dim=1)
        ends = tuple(
            tuple(
                place.at(f"layers.{i}")(name, states[rows, last])
                for name, states in zip(("vector", "vector_cell"), layer, strict=False)
            )
            for i, layer in enumerate(layers)
        )
        return Encoded(layers[-1][0], ends, allowed)

    def read_out(
        self, x: Float[Tensor, "batch target d_model"], encoded: Encoded, *, trace: Recorder = SILENT
    ) -> Float[Tensor, "batch target vocab"]:
        """Return logits from the states of the decoder's last layer, with attention if it has any."""
        if self.has_attention:
            context = self.attention(x, encoded.states, allowed=encoded.allowed, trace=trace)
            x = trace.at("decoder")("combined", self.combine(torch.cat([x, context], dim=-1)))
        return trace.at("decoder")("logits", self.unembed(x))
