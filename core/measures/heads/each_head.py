"""Every head knocked out alone: a model read again from the layer of the head on, once for each layer."""

from collections.abc import Iterator
from itertools import product

import pandas as pd
import torch
from jaxtyping import Bool, Float
from torch import Tensor

from core.model.config import ModelConfig
from core.model.forward import STATES, forward_pass, states_from, trace_path
from core.model.models import Stack, States, Tokens

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
