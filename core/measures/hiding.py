"""Effects of hiding a word: a query's attention weights against its prediction without each key."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

import numpy as np
import pandas as pd
import torch
from jaxtyping import Bool, Float
from torch import Tensor

from core.arrays import array_of
from core.measures.heads.effects import block_work
from core.measures.prediction import predictor, tokens_for_prediction
from core.model.config import ModelConfig
from core.model.forward import PATTERNS, forward_pass
from core.model.masks.combining import Allowed, bidirectional, window_if_any
from core.model.models import Stack, States, Tokens, Transformer
from core.sources import LoadedModel

Probabilities = Float[Tensor, "batch class"]

HIDDEN_AT_ONCE = 16
"""Number of copies of a sentence in one batch, each with another word hidden."""

MOST_WORK = 1e11
"""Greatest number of multiplications to hide every word alone: about five seconds of a core."""

FEWEST = 3
"""Least number of pairs for a rank correlation: two always agree or always differ."""

ROUNDING = 6
"""Decimals of a change that are kept and compared, because single precision blurs the rest."""


@dataclass(frozen=True, eq=False)
class Hiding:
    """The keys that the query at `position` may attend to, and their effects, in order.

    `changes` are total variations between the predictions with all words and without this one; NaN for the
    query itself, which always sees itself. `labels` are the labels of a sequence classifier with their
    probabilities, the likeliest first; its prediction is made at the first token.
    """

    position: int
    keys: tuple[int, ...]
    weights: Float[np.ndarray, "layer head key"]
    changes: Float[np.ndarray, "key"]
    labels: tuple[tuple[str, float], ...] = ()

    @property
    def others(self) -> Bool[np.ndarray, "key"]:
        return np.array(self.keys) != self.position

    @property
    def mean_weights(self) -> Float[np.ndarray, "key"]:
        return np.asarray(self.weights.mean(axis=(0, 1)))


def hide_each(loaded: LoadedModel, *, position: int, window: int | None = None) -> Hiding:
    """Return the prediction at `position` without each word that it may attend to.

    A hidden word is masked in all layers and heads for every query but itself. The prediction is made as in
    `core.measures.prediction.predict`, or by a sequence classifier; the weights are those of the same pass.
    Raises UnavailableError without an output layer.
    """
    return hide_each_in([loaded], position=position, window=window)[0]


@torch.inference_mode()
def hide_each_in(
    alike: Sequence[LoadedModel], *, position: int, window: int | None = None, at_once: int = HIDDEN_AT_ONCE
) -> list[Hiding]:
    """Return the same for several sentences of equal length, all read by one model.

    `at_once` copies of sentences go through the model together.
    """
    model, head = alike[0].model, alike[0].label_head
    if head is not None:
        tokens, predict = torch.cat([one.tokens for one in alike]), head.probabilities
    else:
        tokens = torch.cat([tokens_for_prediction(one, position) for one in alike])
        predict = partial(_words_at, predictor(alike[0]), position)
    seen = _seen(tokens, window)
    whole = forward_pass(model, tokens, allowed=seen, keep=PATTERNS, states_only=True)
    keys = torch.nonzero(whole.allowed()[0, 0].expand_as(seen[0, 0])[position]).flatten()
    others = keys[keys != position]
    predictions = _predictions(model, tokens, seen, others, predict, at_once)
    patterns, found = whole.patterns(), []
    for sentence in range(len(alike)):
        before, *after = islice(predictions, 1 + len(others))
        changes = np.full(len(keys), np.nan)
        changes[array_of(keys != position)] = [round(total_variation(before, one), ROUNDING) for one in after]
        weights = array_of(patterns[:, sentence, :, position][..., keys])
        labels = () if head is None else tuple(zip(head.labels, before.tolist(), strict=True))
        ranked = tuple(sorted(labels, key=lambda one: -one[1]))
        found.append(Hiding(position, tuple(keys.tolist()), weights, changes, ranked))
    return found


def total_variation(p: Float[Tensor, "vocab"], q: Float[Tensor, "vocab"]) -> float:
    """Return half the sum of |p − q|: the share of the probability that has to move."""
    return min(1.0, float((p - q).abs().sum()) / 2)


def rank_correlation(one: Float[np.ndarray, "n"], other: Float[np.ndarray, "n"]) -> float | None:
    """Return Spearman's ρ; None for under three pairs, or if all numbers of a list are equal."""
    ranks = [pd.Series(each.round(ROUNDING)).rank().to_numpy() for each in (one, other)]
    if len(one) < FEWEST or any(np.ptp(each) == 0 for each in ranks):
        return None
    return float(np.corrcoef(np.stack(ranks))[0, 1])


def heaviest_and_strongest(
    weights: Float[np.ndarray, "n"], changes: Float[np.ndarray, "n"]
) -> tuple[int, int]:
    """Return the positions of the largest weight and the largest change; of equals those that agree."""
    rounded = (np.round(numbers, ROUNDING) for numbers in (weights, changes))
    is_heaviest, is_strongest = (numbers == numbers.max() for numbers in rounded)
    both = is_heaviest & is_strongest
    if both.any():
        return int(both.argmax()), int(both.argmax())
    return int(is_heaviest.argmax()), int(is_strongest.argmax())


def max_tokens(config: ModelConfig) -> int:
    """Return the greatest number of tokens for which `hide_each` takes at most `MOST_WORK`."""
    return int((MOST_WORK / (config.n_layers * block_work(config))) ** 0.5)


def _seen(tokens: Tokens, width: int | None) -> Allowed:
    n, device = tokens.shape[1], tokens.device
    allowed = window_if_any(n, width=width, device=device)
    return bidirectional(n, n, device=device) if allowed is None else allowed


def _words_at(model: Transformer, position: int, states: States) -> Probabilities:
    return model.logits_of(states[:, position]).double().softmax(dim=-1)


def _predictions(
    model: Stack,
    tokens: Tokens,
    seen: Allowed,
    hidden: Tensor,
    predict: Callable[[States], Probabilities],
    at_once: int,
) -> Iterator[Float[Tensor, "class"]]:
    """Yield `predict` of each sentence in turn: with all words, then without each `hidden` one."""
    n_sentences, n = tokens.shape
    own = torch.eye(n, dtype=torch.bool, device=tokens.device)
    # −1 is no word: the first copy hides none, so that all results come from the same kind of pass.
    copies = torch.cat([hidden.new_tensor([-1]), hidden])
    sentences = torch.arange(n_sentences, device=tokens.device).repeat_interleave(len(copies))
    for which, some in zip(
        torch.split(sentences, at_once), torch.split(copies.repeat(n_sentences), at_once), strict=True
    ):
        is_hidden = torch.arange(n, device=tokens.device) == some[:, None, None, None]
        allowed = seen & (own | ~is_hidden)
        states = forward_pass(
            model, tokens[which], allowed=allowed, keep=["norm"], states_only=True
        ).last_states
        yield from predict(states)
