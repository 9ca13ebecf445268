"""What each word contributes to a verdict: by ablation, by gradient × input, and by attention weight.

The score that is shared out is the log-odds of praise, log P(positive) − log P(negative).
"""

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from core.arrays import array_of, read_only
from core.measures.classification.verdicts import POSITIVE
from core.model.classifier import SequenceClassifier
from core.model.models import Stack
from core.model.trace import Trace
from core.sources.classifiers import LoadedClassifier
from core.text.language import UNKNOWN, vocabulary

EMBED = "encoder.embed"
PATTERN = "encoder.blocks.0.attention.pattern"

ROUNDING = 1e-5
"""Log-odds that are less than this apart differ by the rounding of 32-bit sums of about 10, if at all."""

Tokens = Int[Tensor, "1 position"]
Each = Float[np.ndarray, "position"]


@dataclass(frozen=True, eq=False)
class Contributions:
    """What every word contributes, by three measures; a model without attention has no weights.

    What is no more than rounding is 0.
    """

    log_odds: float
    ablation: Each
    gradient: Each
    attention: Each | None


def contributions(loaded: LoadedClassifier) -> Contributions:
    """The contributions in a review."""
    unknown = vocabulary().encode([UNKNOWN]).item()
    model, tokens = loaded.model, loaded.tokens
    return Contributions(
        log_odds=float(_log_odds(model(tokens))),
        ablation=_without_rounding(by_ablation(model, tokens, instead=int(unknown))),
        gradient=_without_rounding(by_gradient(model, tokens)),
        attention=by_attention(model, tokens),
    )


@torch.inference_mode()
def by_ablation(model: SequenceClassifier, tokens: Tokens, *, instead: int) -> Each:
    """By how much the log-odds fall when the word is replaced by the token `instead`: 0 where it is that."""
    n = tokens.shape[1]
    without = tokens.repeat(n, 1)
    without.fill_diagonal_(instead)
    fall = _log_odds(model(tokens)) - _log_odds(model(without))
    return array_of(fall.masked_fill(tokens[0] == instead, 0))


def by_gradient(model: SequenceClassifier, tokens: Tokens) -> Each:
    """∂ log-odds / ∂e_i · e_i for the word vector e_i of each word: what a linear model would make of it."""
    trace = Trace(edits={EMBED: lambda vectors: vectors.detach().requires_grad_()}, keep=[EMBED])
    with torch.inference_mode(mode=False), torch.enable_grad():
        log_odds = _log_odds(model(tokens.clone(), trace=trace))
        (gradient,) = torch.autograd.grad(log_odds.sum(), trace[EMBED])
    return array_of((gradient * trace[EMBED].detach()).sum(dim=-1)[0])


@torch.inference_mode()
def by_attention(model: SequenceClassifier, tokens: Tokens) -> Each | None:
    """The weight that each word gets, averaged over all heads and all queries of the first layer.

    None where the model has no attention.
    """
    if not isinstance(model.encoder, Stack):
        return None
    trace = Trace(keep=[PATTERN])
    model(tokens, trace=trace)
    return array_of(trace[PATTERN][0].mean(dim=(0, 1)))


def _log_odds(logits: Float[Tensor, "batch label"]) -> Float[Tensor, "batch"]:
    """The log-odds of praise, of two labels."""
    return logits[:, POSITIVE] - logits[:, 1 - POSITIVE]


def _without_rounding(values: Each) -> Each:
    return read_only(np.where(np.abs(values) < ROUNDING, 0, values))


def leaders(values: Each) -> tuple[int, ...]:
    """Positions of the largest sizes: several where these are level but for rounding, none if all are 0."""
    sizes = np.abs(values)
    if not sizes.any():
        return ()
    return tuple(np.flatnonzero(sizes > sizes.max() - ROUNDING).tolist())
