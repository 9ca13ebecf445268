"""A classifier of whole sequences: an encoder, a pooling of its states, and a linear layer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from core.model.config import ModelConfig
from core.model.models import Stack
from core.model.recurrent import RecurrentConfig
from core.model.recurrent_pair import RecurrentStack
from core.model.trace import SILENT, Recorder

States = Float[Tensor, "batch position d_model"]
Real = Bool[Tensor, "batch position"]
Pooled = Float[Tensor, "batch d_model"]
Pooling = Callable[[States, Real], Pooled]


def last_state(states: States, real: Real) -> Pooled:
    """Return the state of the last real word: all that a recurrent network still knows at the end."""
    positions = torch.arange(states.shape[1], device=states.device)
    last = torch.where(real, positions, -1).amax(dim=1)
    return states[torch.arange(len(states), device=states.device), last]


def mean(states: States, real: Real) -> Pooled:
    """Return the mean over the states of real words, number by number."""
    return states.masked_fill(~real[..., None], 0.0).sum(dim=1) / real.sum(dim=1, keepdim=True)


def maximum(states: States, real: Real) -> Pooled:
    """Return the maximum over the states of real words, number by number."""
    return states.masked_fill(~real[..., None], -torch.inf).amax(dim=1)


POOLINGS: Mapping[str, Pooling] = MappingProxyType(
    {"last state": last_state, "mean": mean, "maximum": maximum}
)
"""Ways to pool the states of a sequence into one vector (seq2seq slides); none sees padding."""


@dataclass(frozen=True, kw_only=True)
class ClassifierConfig:
    """Configuration of a classifier; equal configurations build equal models.

    Raises ValueError for an unknown pooling and for fewer than two labels.
    """

    encoder: ModelConfig | RecurrentConfig
    pooling: str = "mean"
    n_labels: int = 2

    def __post_init__(self) -> None:
        if self.pooling not in POOLINGS:
            raise ValueError(f"pooling must be one of {', '.join(POOLINGS)}, got {self.pooling!r}")
        if self.n_labels < 2:
            raise ValueError(f"n_labels must be at least 2, got {self.n_labels}")

    @property
    def vocab_size(self) -> int:
        """Size of the vocabulary that the encoder reads."""
        return self.encoder.vocab_size


class SequenceClassifier(nn.Module):
    """softmax(W pool(h_1 … h_n) + b) over the labels; the states h come from an encoder.

    Records what its encoder does under `encoder`, then `pooled` and `logits`.
    """

    def __init__(self, config: ClassifierConfig) -> None:
        super().__init__()
        self.config = config
        self.encoder = _encoder(config.encoder)
        self.output = nn.Linear(config.encoder.d_model, config.n_labels)

    def forward(
        self,
        tokens: Int[Tensor, "batch position"],
        *,
        allowed: Bool[Tensor, "batch 1 1 position"] | None = None,
        trace: Recorder = SILENT,
    ) -> Float[Tensor, "batch label"]:
        """Return unnormalised log-probabilities of the labels of each row.

        `allowed` says which tokens are real words; padding is neither attended to nor pooled. Raises
        ValueError for a row without a real word, and for a token outside the vocabulary.
        """
        real = torch.ones_like(tokens, dtype=torch.bool) if allowed is None else allowed[:, 0, 0]
        if not real.any(dim=1).all():
            raise ValueError("every row must have at least one real word to be pooled")
        states = self._states(tokens, real, trace.at("encoder"))
        pooled = trace("pooled", POOLINGS[self.config.pooling](states, real))
        return trace("logits", self.output(pooled))

    def _states(self, tokens: Int[Tensor, "batch position"], real: Real, trace: Recorder) -> States:
        if isinstance(self.encoder, RecurrentStack):
            return self.encoder(tokens, trace=trace)[-1][0]
        return self.encoder.states(tokens, allowed=real[:, None, None], trace=trace)


def _encoder(config: ModelConfig | RecurrentConfig) -> Stack | RecurrentStack:
    """Return a network without an output layer: tokens in, states out."""
    return Stack(config) if isinstance(config, ModelConfig) else RecurrentStack(config.vocab_size, config)
