"""Score functions of the seq2seq slides: how well a decoder state matches each encoder state."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from core.model.attention import attention_pattern, attention_scores
from core.model.trace import SILENT, Recorder

Queries = Float[Tensor, "batch head query d_model"]
Keys = Float[Tensor, "batch head key d_model"]
Scores = Float[Tensor, "batch head query key"]


@dataclass(frozen=True, kw_only=True)
class AboutScore:
    """A score function in words and as LaTeX; q is a state of the decoder, h_j one of the encoder."""

    title: str
    says: str
    formula: str
    source: str


class ScoreFunction(nn.Module):
    """A comparison of a decoder state with every encoder state; it owns its parameters."""

    about: ClassVar[AboutScore]
    softmax: ClassVar[bool] = True
    """Whether a softmax over the source words follows; without it the scores are the weights."""

    def __init__(self, d_model: int) -> None:
        super().__init__()

    def forward(self, q: Queries, k: Keys) -> Scores:
        """Return the score of every query and key, not masked."""
        raise NotImplementedError

    def weights(self, scores: Scores, allowed: Bool[Tensor, "#batch #head #query key"]) -> Scores:
        """Return the weight of every encoder state in the context; 0 for states that are not allowed."""
        if self.softmax:
            return attention_pattern(scores, allowed)
        return scores.masked_fill(~allowed, 0.0)


class Dot(ScoreFunction):
    """q·h."""

    about = AboutScore(
        title="dot product",
        says="The decoder's state is compared with each state of the encoder as it is; nothing is learned.",
        formula=r"e_j = q \cdot h_j",
        source="Luong et al. 2015",
    )

    def forward(self, q: Queries, k: Keys) -> Scores:
        return attention_scores(q, k)


class Bilinear(ScoreFunction):
    """q W hᵀ."""

    about = AboutScore(
        title="bilinear (general)",
        says="A learned matrix says which dimensions of the two states have to match.",
        formula=r"e_j = q W h_j^\top",
        source="Luong et al. 2015",
    )

    def __init__(self, d_model: int) -> None:
        super().__init__(d_model)
        self.between = nn.Linear(d_model, d_model, bias=False)

    def forward(self, q: Queries, k: Keys) -> Scores:
        return attention_scores(q, self.between(k))


class Additive(ScoreFunction):
    """tanh(q W + h U) · v: a feed-forward network with one hidden layer as wide as the states."""

    about = AboutScore(
        title="additive",
        says="A small feed-forward network reads both states and gives one number.",
        formula=r"e_j = \tanh(q W + h_j U) \cdot v",
        source="Bahdanau et al. 2015",
    )

    def __init__(self, d_model: int) -> None:
        super().__init__(d_model)
        self.from_query = nn.Linear(d_model, d_model, bias=False)
        self.from_key = nn.Linear(d_model, d_model, bias=False)
        self.total = nn.Linear(d_model, 1, bias=False)

    def forward(self, q: Queries, k: Keys) -> Scores:
        both = self.from_query(q)[..., :, None, :] + self.from_key(k)[..., None, :, :]
        return self.total(torch.tanh(both)).squeeze(-1)


class Linear(ScoreFunction):
    """q·h/d without a softmax: the context is linear in the query.

    This reading is ours. In the seq2seq slides a softmax follows every score function, and an attention is
    linear if its score function is, as a dot product already is.
    """

    about = AboutScore(
        title="linear (no softmax)",
        says="Here a linear attention has no softmax, so weights may be negative and need not sum to 1. "
        "Dividing by the width d keeps each weight between −1 and 1, because all numbers of the states are. "
        "Others call an attention linear if its score function is linear, and keep the softmax.",
        formula=r"\alpha_j = \frac{q \cdot h_j}{d}",
        source="without a softmax, as in de Brébisson & Vincent 2016",
    )
    softmax = False

    def __init__(self, d_model: int) -> None:
        super().__init__(d_model)
        self.scale = 1 / d_model

    def forward(self, q: Queries, k: Keys) -> Scores:
        return attention_scores(q, k, scale=self.scale)


SCORE_FUNCTIONS: Mapping[str, type[ScoreFunction]] = MappingProxyType(
    {"dot": Dot, "bilinear": Bilinear, "additive": Additive, "linear": Linear}
)
"""Every score function by the name that a configuration uses."""


class AlignedAttention(nn.Module):
    """One head of attention from the states of a decoder to those of an encoder.

    Keys and values are the encoder's states themselves. Records `scores` (not masked), `allowed`, `alignment`
    (the weights, after mask and softmax) and `context` (the weighted sum of encoder states).
    """

    def __init__(self, name: str, d_model: int) -> None:
        super().__init__()
        self.score = SCORE_FUNCTIONS[name](d_model)

    def forward(
        self,
        x: Float[Tensor, "batch target d_model"],
        memory: Float[Tensor, "batch source d_model"],
        *,
        allowed: Bool[Tensor, "#batch 1 1 source"],
        trace: Recorder = SILENT,
    ) -> Float[Tensor, "batch target d_model"]:
        """Return the context of every state of `x`."""
        values = memory[:, None]
        scores = trace("scores", self.score(x[:, None], values))
        alignment = trace("alignment", self.score.weights(scores, trace("allowed", allowed)))
        return trace("context", (alignment @ values)[:, 0])
