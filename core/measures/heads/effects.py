"""Effects of silencing heads on predictions and states."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
import pandas as pd
import torch
from jaxtyping import Bool, Float
from torch import Tensor

from core.arrays import array_of
from core.measures.prediction import (
    Head,
    Prediction,
    ablation_edits,
    predict,
    predictor,
    tokens_for_prediction,
)
from core.model.config import ModelConfig
from core.model.forward import STATES, forward_pass, states_from, trace_path
from core.model.masks.combining import window_if_any
from core.model.models import Stack, States, Tokens
from core.sources import LoadedModel


@dataclass(frozen=True, eq=False)
class DecisiveHead:
    """The head, counted from 0, whose ablation changes a prediction most."""

    layer: int
    head: int
    n_heads: int
    all_heads: Prediction
    without: Prediction


def decisive_head(loaded: LoadedModel, *, position: int) -> DecisiveHead:
    """Return the head whose ablation changes the prediction at `position` most; raises UnavailableError."""
    effects = head_effects(loaded, position=position)
    most = effects.loc[effects["divergence"].idxmax()]
    layer, head = int(most["layer"]) - 1, int(most["head"]) - 1
    return DecisiveHead(
        layer=layer,
        head=head,
        n_heads=len(effects),
        all_heads=predict(loaded),
        without=predict(loaded, silenced=[(layer, head)]),
    )


@dataclass(frozen=True, eq=False)
class StateChanges:
    """Changes of the last states h of a sentence without some heads.

    `moved` is ‖Δh‖ / ‖h‖ of each token. Names that begin with `sentence` are about the mean of all states
    (Reimers and Gurevych 2019, section 3). A zero vector has a cosine of 0 with any other.
    """

    moved: Float[np.ndarray, "position"]
    cosines: Float[np.ndarray, "position"]
    sentence_moved: float
    sentence_cosine: float

    @property
    def mean(self) -> float:
        return float(self.moved.mean())


def state_changes(
    loaded: LoadedModel, *, silenced: Iterable[Head], window: int | None = None
) -> StateChanges:
    """Return the change of the last states without these heads; arguments as `prediction.predict`."""
    edits = ablation_edits(frozenset(silenced), loaded.model.config)
    allowed = _window(loaded.tokens, window)
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


def every_head(loaded: LoadedModel, *, window: int | None = None, layer: int | None = None) -> pd.DataFrame:
    """Return the mean ‖Δh‖ / ‖h‖ without each head, of one layer or of all.

    Columns are `layer` and `head`, from 1, and `change`. The argument `layer` counts from 0.
    """
    states = last_states(loaded.model, loaded.tokens, allowed=_window(loaded.tokens, window), layer=layer)
    before = next(states).double()
    changes = [_moved(before, after.double()).mean(dim=-1) for after in states]
    return head_rows(loaded.model.config, layer).assign(change=array_of(torch.cat(changes)))


def _window(tokens: Tensor, width: int | None) -> Bool[Tensor, "1 1 query key"] | None:
    return window_if_any(tokens.shape[1], width=width, device=tokens.device)


def _moved(before: Float[Tensor, "*#n d_model"], after: Float[Tensor, "*n d_model"]) -> Float[Tensor, "*n"]:
    """Return ‖after − before‖ / ‖before‖; 0 if nothing changed, even from 0."""
    change = (after - before).norm(dim=-1)
    return torch.where(change == 0, change, change / before.norm(dim=-1))


def head_effects(
    loaded: LoadedModel, *, position: int, window: int | None = None, layer: int | None = None
) -> pd.DataFrame:
    """Return D(before ‖ after) in nats at `position` without each head, of one layer or of all.

    Columns `layer` and `head`, counted from 1, and `divergence`. The argument `layer` counts from 0.
    `core.measures.prediction.predict` makes the predictions; `max_tokens` says how long a sentence may be.
    Raises UnavailableError for a model without an output layer.
    """
    model, tokens = predictor(loaded), tokens_for_prediction(loaded, position)
    allowed = _window(tokens, window)
    log_rows = (
        model.logits_of(states[:, position]).double().log_softmax(dim=-1)
        for states in last_states(model, tokens, allowed=allowed, layer=layer)
    )
    before = next(log_rows)
    divergences = [(before.exp() * (before - after)).sum(dim=-1).clamp(min=0) for after in log_rows]
    return head_rows(model.config, layer).assign(divergence=array_of(torch.cat(divergences)))


MOST_WORK = 5e10
"""Greatest number of multiplications to ablate every head: two or three seconds of a core."""


@torch.inference_mode()
def last_states(
    model: Stack,
    tokens: Tokens,
    *,
    allowed: Bool[Tensor, "1 1 query key"] | None = None,
    layer: int | None = None,
) -> Iterator[States]:
    """Yield the last states of the whole model, then for each layer, or for one, a row without each head."""
    keep = [*STATES, trace_path(0, "allowed")]
    whole = forward_pass(model, tokens, allowed=allowed, keep=keep, states_only=True)
    yield whole.last_states
    for at in range(model.config.n_layers) if layer is None else (layer,):
        yield states_from(
            model,
            at,
            whole.entering(at).expand(model.config.n_heads, -1, -1),
            allowed=whole.allowed(),
            edits={trace_path(at, "z"): _another_in_each_row},
        )


def head_rows(config: ModelConfig, layer: int | None = None) -> pd.DataFrame:
    """Return a row for each head, of one layer or of all: `layer` and `head`, counted from 1."""
    layers = range(1, config.n_layers + 1) if layer is None else (layer + 1,)
    heads = product(layers, range(1, config.n_heads + 1))
    return pd.DataFrame(list(heads), columns=["layer", "head"])


def max_tokens(config: ModelConfig, *, one_layer: bool = False) -> int:
    """Return the greatest number of tokens for which `last_states` takes at most `MOST_WORK`.

    For the heads of `one_layer` alone it may be larger; the first layer takes longest.
    """
    above = config.n_layers if one_layer else config.n_layers * (config.n_layers + 1) // 2
    blocks = config.n_layers + config.n_heads * above
    return int(MOST_WORK / (blocks * block_work(config)))


def block_work(config: ModelConfig) -> int:
    """Count the multiplications of one block for one token, without those between tokens."""
    assert config.d_mlp is not None, "the configuration fills d_mlp in"
    attention = 2 * config.d_model * config.d_head * (config.n_heads + config.n_key_heads)
    return attention + config.mlp * (2 + config.gated) * config.d_model * config.d_mlp


def _another_in_each_row(z: Float[Tensor, "row head query d_head"]) -> Float[Tensor, "row head query d_head"]:
    """Silence head i in row i of the batch."""
    silenced = torch.eye(z.shape[0], dtype=torch.bool, device=z.device)
    return z.masked_fill(silenced[:, :, None, None], 0)
