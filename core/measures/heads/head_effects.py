"""What a prediction owes to each head: every head knocked out alone."""

import pandas as pd
import torch
from jaxtyping import Float
from torch import Tensor

from core.arrays import array_of
from core.measures.heads.each_head import last_states, listed
from core.model.masks.combining import window_if_any
from core.model.models import Tokens, Transformer
from core.sources import LoadedModel, UnavailableError


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
