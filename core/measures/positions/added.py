"""What a position scheme does at its injection point, as plain arrays: the same for any scheme."""

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from core.arrays import array_of
from core.device import device_of
from core.measures.reading import Reading
from core.model.config import ModelConfig
from core.model.models import Stack
from core.model.positions import PositionScheme


@torch.inference_mode()
def added(model: Stack, n: int) -> Float[np.ndarray, "..."]:
    """What the positions of `model` do to a sentence of `n` words, whichever words they are.

    By the injection point: what is added to the word vectors (position, d_model); the degrees by which each
    pair of dimensions of queries and keys turns, between −180 and 180 (position, pair); what is added to the
    scores (head, query, key). Raises ValueError for a scheme that does nothing.
    """
    scheme, config = model.positions, model.config
    assert isinstance(scheme, PositionScheme)
    point = scheme.injection_point()
    if point is None:
        raise ValueError(f"positions {config.positions!r} enter nowhere")
    device = device_of(model)
    if point == "embed":
        return array_of(scheme.embed(torch.zeros(1, n, config.d_model, device=device))[0])
    if point == "rotate":
        return _degrees(scheme, config, n, device)
    anything = torch.zeros(1, config.n_heads, n, config.d_head, device=device)
    bias = scheme.bias(anything, anything)
    assert bias is not None, "a scheme that enters at the scores biases them"
    return array_of(bias)


def _degrees(
    scheme: PositionScheme, config: ModelConfig, n: int, device: torch.device
) -> Float[np.ndarray, "position pair"]:
    """The angle at each position of the vector whose every pair starts as (1, 0)."""
    east: Tensor = torch.tensor([1.0, 0.0], dtype=torch.float64, device=device).repeat(config.d_head // 2)
    rotated = scheme.rotate(east.expand(1, config.n_heads, n, config.d_head))[0, 0]
    return array_of(torch.atan2(rotated[:, 1::2], rotated[:, 0::2]).rad2deg())


def score_changes(reading: Reading, n_heads: int) -> Float[np.ndarray, "head distance"]:
    """Return how much lower or higher a score is d words back than at the query itself, in the first layer.

    `reading` is of one word, repeated: then nothing but the positions can tell two keys apart. The query is
    the last word.
    """
    rows = np.stack([reading.head(0, head).scores[-1, ::-1] for head in range(n_heads)]).astype(np.float64)
    return rows - rows[:, :1]
