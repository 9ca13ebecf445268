"""What changes when heads are silenced."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
import torch
from jaxtyping import Bool, Float
from torch import Tensor

from core.arrays import array_of
from core.measures.heads.sinks import clearly_above, last_states, listed
from core.measures.prediction import Head, Prediction, knock_out, predict
from core.model.forward import forward_pass
from core.model.masks.combining import window_if_any
from core.model.models import Tokens, Transformer
from core.sources import LoadedModel, UnavailableError


@dataclass(frozen=True, eq=False)
class DecisiveHead:
    """A head, its layer and itself counted from 0, with the predictions of all heads and of all but this.

    `divergence` is D(all ‖ all but this) in nats at the position asked about, the largest of the `n_heads`.
    """

    layer: int
    head: int
    divergence: float
    n_heads: int
    all_heads: Prediction
    without: Prediction


def decisive_head(loaded: LoadedModel, *, position: int) -> DecisiveHead:
    """The head whose knock-out moves the prediction at `position` most; the first of equals.

    Raises UnavailableError for a model without an output layer.
    """
    effects = head_effects(loaded, position=position)
    most = effects.loc[effects["divergence"].idxmax()]
    layer, head = int(most["layer"]) - 1, int(most["head"]) - 1
    return DecisiveHead(
        layer=layer,
        head=head,
        divergence=float(most["divergence"]),
        n_heads=len(effects),
        all_heads=predict(loaded),
        without=predict(loaded, silenced=[(layer, head)]),
    )


@dataclass(frozen=True, eq=False)
class StateChanges:
    """How the last states h of a sentence differ without some heads. Immutable, so visitors can share it.

    `moved` is ‖Δh‖ / ‖h‖ of each token, and `cosines` are those between its state before and after.
    `sentence_moved` and `sentence_cosine` say the same of the mean of all states, the vector of the sentence
    (Reimers and Gurevych 2019, section 3). A vector without length has a cosine of 0 with any other.
    """

    moved: Float[np.ndarray, "position"]
    cosines: Float[np.ndarray, "position"]
    sentence_moved: float
    sentence_cosine: float

    @property
    def mean(self) -> float:
        """The mean of `moved` over all tokens."""
        return float(self.moved.mean())


def state_changes(
    loaded: LoadedModel, *, silenced: Iterable[Head], window: int | None = None
) -> StateChanges:
    """How the states that leave the model change, those of special tokens too, without the heads `silenced`.

    The arguments are those of `core.measures.prediction.predict`, and a model needs no output layer. Raises
    ValueError for a head that the model does not have.
    """
    edits = knock_out(frozenset(silenced), loaded.model.config)
    allowed = _window(loaded, window)
    before, after = (
        forward_pass(
            loaded.model, loaded.tokens, allowed=allowed, edits=made, keep=["norm"], states_only=True
        )
        .last_states[0]
        .double()
        for made in ({}, edits)
    )
    whole, less = before.mean(dim=0), after.mean(dim=0)
    return StateChanges(
        moved=array_of(_moved(before, after)),
        cosines=array_of(torch.cosine_similarity(before, after, dim=-1)),
        sentence_moved=float(_moved(whole, less)),
        sentence_cosine=float(torch.cosine_similarity(whole, less, dim=-1)),
    )


def every_head(loaded: LoadedModel, *, window: int | None = None) -> pd.DataFrame:
    """For every head alone how far the last states move without it: the mean of ‖Δh‖ / ‖h‖ over all tokens.

    A row for each head, `layer` and `head` counted from 1, and the column `change`. `each_head.longest` says
    how long a sentence may be.
    """
    states = last_states(loaded.model, loaded.tokens, allowed=_window(loaded, window))
    before = next(states).double()
    changes = [_moved(before, after.double()).mean(dim=-1) for after in states]
    return listed(loaded.model.config).assign(change=array_of(torch.cat(changes)))


def _window(loaded: LoadedModel, width: int | None) -> Bool[Tensor, "1 1 query key"] | None:
    return window_if_any(loaded.tokens.shape[1], width=width, device=loaded.tokens.device)


def _moved(before: Float[Tensor, "*#n d_model"], after: Float[Tensor, "*n d_model"]) -> Float[Tensor, "*n"]:
    """‖after − before‖ / ‖before‖; 0 where nothing moved, even from 0."""
    change = (after - before).norm(dim=-1)
    return torch.where(change == 0, change, change / before.norm(dim=-1))


def head_effects(loaded: LoadedModel, *, position: int, window: int | None = None) -> pd.DataFrame:
    """How far the prediction at `position` moves when a head is knocked out, for every head alone.

    A row for each head, `layer` and `head` counted from 1; `divergence` is D(before ‖ after) in nats, the
    Kullback–Leibler divergence of the distribution with all heads from the one without this head. The
    prediction is that of `core.measures.prediction.predict`: of the word after `position` where a model reads
    to the right, else of the word at `position`, which is masked. `each_head.longest` says how long a
    sentence may be. Raises UnavailableError for a model without an output layer.
    """
    model, tokens = loaded.model, asked_at(loaded, position)
    if not isinstance(model, Transformer):
        raise UnavailableError("This model has no output layer: it predicts no words.")
    allowed = window_if_any(tokens.shape[1], width=window, device=tokens.device)
    log_rows = (
        model.logits_of(states[:, position]).double().log_softmax(dim=-1)
        for states in last_states(model, tokens, allowed=allowed)
    )
    before = next(log_rows)
    divergences = [_divergences(before, after) for after in log_rows]
    return listed(model.config).assign(divergence=array_of(torch.cat(divergences)))


def asked_at(loaded: LoadedModel, position: int) -> Tokens:
    """The sentence as the model is asked about `position`: one that sees all words has that one masked."""
    if loaded.reads_on:
        return loaded.tokens
    where = torch.tensor([position], device=loaded.tokens.device)
    return loaded.tokens.index_fill(1, where, loaded.mask_token)


def _divergences(
    before: Float[Tensor, "1 vocab"], after: Float[Tensor, "head vocab"]
) -> Float[Tensor, "head"]:
    """D(before ‖ every row after) in nats, of natural logarithms."""
    return (before.exp() * (before - after)).sum(dim=-1).clamp(min=0)


class Again(NamedTuple):
    """From the position `query` the word after it is predicted, and at `key` that word has stood before.

    `weight` is what the query gives it, and `equal` what it would get of equal weights.
    """

    query: int
    key: int
    weight: float
    equal: float


def mentioned_again(
    pattern: Float[np.ndarray, "query key"], equal: Float[np.ndarray, "query key"], words: Sequence[str]
) -> Again | None:
    """The largest weight on the earlier mention of the word that comes next; None where none is large.

    What is at one position a coincidence is at another what the head does: its score *earlier mention* is the
    mean over many sentences.
    """
    cells = [
        Again(at, before, float(pattern[at, before]), float(equal[at, before]))
        for at, word in enumerate(words[1:])
        for before in range(at)
        if words[before].lower() == word.lower()
    ]
    best = max(cells, key=lambda one: one.weight, default=None)
    return best if best is not None and clearly_above(best.weight, best.equal) else None
