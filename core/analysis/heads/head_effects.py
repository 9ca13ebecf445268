"""What a prediction owes to each head: every head knocked out alone, all of them in one forward pass."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import torch
from jaxtyping import Float
from torch import Tensor

from core import masks
from core.arrays import array_of
from core.config import ModelConfig
from core.forward import forward_pass, trace_path
from core.learning.weights import LoadedModel, load
from core.models import Tokens
from core.trace import Edit


def head_effects(
    words: Sequence[str],
    config: ModelConfig,
    *,
    place: int,
    source: str,
    seed: int = 0,
    window: int | None = None,
) -> pd.DataFrame:
    """For every head alone: how far the prediction at `place` moves when that head is knocked out.

    A row for each head, `layer` and `head` counted from 1; `divergence` is D(before ‖ after) in nats, the
    Kullback–Leibler divergence of the distribution with all heads from the one without this head. The
    prediction is that of `core.analysis.prediction.predict`: of the word after `place` where the model reads
    to the right, else of the word at `place`, which is masked.
    """
    loaded = load(source, config, words, seed)
    heads = [
        (layer, head)
        for layer in range(loaded.model.config.n_layers)
        for head in range(loaded.model.config.n_heads)
    ]
    tokens = _asked(loaded, place).expand(1 + len(heads), -1)
    allowed = masks.window_if_any(tokens.shape[1], width=window, device=tokens.device)
    edits = {trace_path(layer, "z"): _one_head_a_row(heads, layer) for layer, _ in heads}
    forward = forward_pass(loaded.model, tokens, allowed=allowed, edits=edits, keep=["logits"])
    logits = forward.logits[:, place]
    counted = [(layer + 1, head + 1) for layer, head in heads]
    table = pd.DataFrame(counted, columns=["layer", "head"])
    return table.assign(divergence=_divergences(array_of(logits.double().log_softmax(dim=-1))))


def _asked(loaded: LoadedModel, place: int) -> Tokens:
    """The sentence as the model is asked about `place`: one that sees all words has that one masked."""
    if loaded.reads_on:
        return loaded.tokens
    where = torch.tensor([place], device=loaded.tokens.device)
    return loaded.tokens.index_fill(1, where, loaded.mask_token)


def _one_head_a_row(heads: Sequence[tuple[int, int]], layer: int) -> Edit:
    """The edit that silences in row 1 of a batch the first of `heads`, and so on; row 0 keeps all of them."""

    def edit(z: Float[Tensor, "batch head query d_head"]) -> Float[Tensor, "batch head query d_head"]:
        edited = z.clone()
        for row, (at, head) in enumerate(heads, start=1):
            if at == layer:
                edited[row, head] = 0
        return edited

    return edit


def _divergences(log_rows: Float[np.ndarray, "row vocab"]) -> Float[np.ndarray, "head"]:
    """D(first row ‖ every other row) in nats."""
    before, after = log_rows[0], log_rows[1:]
    divergences: np.ndarray = np.maximum(0.0, (np.exp(before) * (before - after)).sum(axis=-1))
    return divergences
