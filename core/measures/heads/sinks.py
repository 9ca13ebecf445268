"""Where weights are large, and which words take attention for nothing."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd
import torch
from jaxtyping import Bool, Float
from torch import Tensor

from core.model.config import ModelConfig
from core.model.forward import STATES, forward_pass, states_from, trace_path
from core.model.models import Stack, States, Tokens


def largest_of_a_choice(
    pattern: Float[np.ndarray, "query key"], allowed: Bool[np.ndarray, "query key"]
) -> tuple[tuple[int, int], Bool[np.ndarray, "query"]]:
    """The (query, key) of the largest weight, and which queries may attend to more than one key.

    A query that may attend to one key only gives it all its weight, so its row counts only where no query
    has a choice. The first of several that are equally large.
    """
    has_choice = allowed.sum(axis=1) > 1
    counted = np.where(allowed & (has_choice | ~has_choice.any())[:, None], pattern, -1.0)
    query, key = divmod(int(counted.argmax()), counted.shape[1])
    return (query, key), has_choice


LEAST = 0.25
"""A head stands out from so far on the way from equal weights to all attention where it is sought."""


class StandingOut(NamedTuple):
    """A layer and a head, counted from 0, and the mean over queries of their largest attention weight."""

    layer: int
    head: int
    share: float


def largest_shares(
    patterns: Float[np.ndarray, "... head query key"], special: Collection[int] = ()
) -> Float[np.ndarray, "... head"]:
    """The mean over the queries of a head of their largest weight, what is at `special` positions left aside.

    Not a number where fewer than two words are left.
    """
    kept = [at for at in range(patterns.shape[-1]) if at not in special]
    if len(kept) < 2:
        return np.full(patterns.shape[:-2], np.nan)
    # Query by query: the weights of the words kept would be a second copy of all of them.
    largest = [patterns[..., query, :][..., kept].max(axis=-1) for query in kept]
    return np.asarray(np.mean(largest, axis=0))


def standing_out(shares: Float[np.ndarray, "layer head"], equal: float) -> StandingOut | None:
    """The head with the largest of its `largest_shares`; None where that is little more than `equal`.

    `equal` is the same of equal weights on all that may be seen, which under the causal mask is much: the
    first query sees one key. Special tokens do not count: many heads of trained models leave all their
    attention with one, and say no more by it than that they found nothing (Clark et al. 2019, section 3.2).
    """
    found = largest(shares)
    return found if found is not None and clearly_above(found.share, equal) else None


def clearly_above(share: float, equal: float) -> bool:
    """Whether a share of attention is so far above what equal weights give that it says something."""
    return share - equal >= LEAST * (1 - equal)


def largest(shares: Float[np.ndarray, "layer head"]) -> StandingOut | None:
    """The head with the largest of its `largest_shares`; None where fewer than two words are left."""
    if np.isnan(shares).all():
        return None
    layer, head = np.unravel_index(shares.argmax(), shares.shape)
    return StandingOut(int(layer), int(head), float(shares[layer, head]))


MOST_WORK = 5e10
"""Greatest number of multiplications to knock out every head alone: two or three seconds of a core."""


@torch.inference_mode()
def last_states(
    model: Stack, tokens: Tokens, *, allowed: Bool[Tensor, "1 1 query key"] | None = None
) -> Iterator[States]:
    """The last states of a sentence: those of the whole model, then for each layer those without a head.

    The first have one row, the others a row for each head of their layer, which gives nothing there. Layers
    below a head are computed once, for they do not change without it.
    """
    keep = [*STATES, trace_path(0, "allowed")]
    whole = forward_pass(model, tokens, allowed=allowed, keep=keep, states_only=True)
    yield whole.last_states
    for layer in range(model.config.n_layers):
        yield states_from(
            model,
            layer,
            whole.entering(layer).expand(model.config.n_heads, -1, -1),
            allowed=whole.allowed(),
            edits={trace_path(layer, "z"): _another_in_each_row},
        )


def listed(config: ModelConfig) -> pd.DataFrame:
    """A row for each head, layer by layer: `layer` and `head`, counted from 1."""
    heads = product(range(1, config.n_layers + 1), range(1, config.n_heads + 1))
    return pd.DataFrame(list(heads), columns=["layer", "head"])


def longest(config: ModelConfig) -> int:
    """How many tokens a sentence may have for `last_states` to take no more than `MOST_WORK`."""
    assert config.d_mlp is not None, "the configuration fills d_mlp in"
    attention = 2 * config.d_model * config.d_head * (config.n_heads + config.n_key_heads)
    feed_forward = config.mlp * (2 + config.gated) * config.d_model * config.d_mlp
    blocks = config.n_layers + config.n_heads * config.n_layers * (config.n_layers + 1) // 2
    return int(MOST_WORK / (blocks * (attention + feed_forward)))


def _another_in_each_row(z: Float[Tensor, "row head query d_head"]) -> Float[Tensor, "row head query d_head"]:
    """Head i gives nothing in row i of the batch."""
    silenced = torch.eye(z.shape[0], dtype=torch.bool, device=z.device)
    return z.masked_fill(silenced[:, :, None, None], 0)


MOST = 0.5
"""A word is a sink if it gets more than this share of the attention."""

FEWEST = 3
"""Least number of queries that make a habit."""

FULL_STOPS = frozenset(".!?…。！？")

Place = Literal["first word", "full stop", "special token"]


@dataclass(frozen=True)
class Sink:
    """A sink: its position, its mean `share` over `n_queries` queries, and what equal weights would give it.

    Of the other queries `n_blind` cannot see it, and `n_narrow` see so little else that they do not count.
    `at` is the position of a special token.
    """

    place: Place
    share: float
    chance: float
    n_queries: int
    n_blind: int = 0
    n_narrow: int = 0
    at: int | None = None


def attention_sink(
    pattern: Float[np.ndarray, "query key"],
    equal: Float[np.ndarray, "query key"],
    words: Sequence[str],
    special: Collection[int] = (),
) -> Sink | None:
    """The attention sink of a head; None where it has none.

    `equal` are the weights of a head that attends alike to all it may see. `special` are the positions of
    special tokens, each of which can be one; the first word is then no place of its own. Queries that are
    such a word themselves do not count, nor do those that see so few words that equal weights would put half
    of them there.
    """
    at = np.arange(len(words))
    stops = np.array([word in FULL_STOPS for word in words])
    found = [
        None if 0 in special else _sink_on("first word", pattern, equal, at == 0),
        _sink_on("full stop", pattern, equal, stops),
        *(_on_special(pattern, equal, position, at == position) for position in special),
    ]
    return max((sink for sink in found if sink is not None), key=lambda sink: sink.share, default=None)


def _on_special(
    pattern: Float[np.ndarray, "query key"],
    equal: Float[np.ndarray, "query key"],
    position: int,
    there: Bool[np.ndarray, "key"],
) -> Sink | None:
    found = _sink_on("special token", pattern, equal, there)
    return None if found is None else replace(found, at=position)


def _sink_on(
    place: Place,
    pattern: Float[np.ndarray, "query key"],
    equal: Float[np.ndarray, "query key"],
    there: Bool[np.ndarray, "key"],
) -> Sink | None:
    chance = equal @ there
    seeing, narrow = ~there & (chance > 0), ~there & (chance >= MOST)
    counted = seeing & ~narrow
    if counted.sum() < FEWEST:
        return None
    share = float((pattern * ((equal > 0) & there)).sum(axis=1)[counted].mean())
    if share <= MOST:
        return None
    n_counted, n_blind = int(counted.sum()), int((~there & ~seeing).sum())
    return Sink(place, share, float(chance[counted].mean()), n_counted, n_blind, int(narrow.sum()))
