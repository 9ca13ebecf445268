"""Position schemes: their additions and rotations."""

import math
from dataclasses import dataclass

import numpy as np
import torch
from einops import rearrange
from jaxtyping import Float
from torch import Tensor

from core.arrays import array_of
from core.device import device_of
from core.measures.reading import Reading
from core.model.config import ModelConfig
from core.model.initialisation import initialise
from core.model.models import Stack, Transformer
from core.model.positions import PositionScheme
from core.model.positions.alibi import alibi_slopes, linear_bias
from core.model.positions.frequencies import LONGEST_WAVELENGTH
from core.model.positions.learned import Learned
from core.model.positions.rotary import rotary_angles, rotate_pairs
from core.model.positions.sinusoidal import sinusoids


@torch.inference_mode()
def position_effect(model: Stack, n: int) -> Float[np.ndarray, "..."]:
    """Return the effect of a model's positions on a sentence of `n` words, for any words.

    By injection point: the addition to word vectors (position, d_model), degrees by which pairs turn, from
    −180 to 180 (position, pair), or the addition to scores (head, query, key). Raises ValueError for a scheme
    without positions.
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
    """Return the angle at each position of the vector whose every pair starts as (1, 0)."""
    east: Tensor = torch.tensor([1.0, 0.0], dtype=torch.float64, device=device).repeat(config.d_head // 2)
    rotated = scheme.rotate(east.expand(1, config.n_heads, n, config.d_head))[0, 0]
    return array_of(torch.atan2(rotated[:, 1::2], rotated[:, 0::2]).rad2deg())


def score_changes(reading: Reading, n_heads: int) -> Float[np.ndarray, "head distance"]:
    """Return the change of a first-layer score d words back; `reading` is of one word, repeated."""
    rows = np.stack([reading.head(0, head).scores[-1, ::-1] for head in range(n_heads)]).astype(np.float64)
    return rows - rows[:, :1]


NOTE_SLOPE = 1.0
"""The slope of CS 224N note eq 13, the same for every head."""


def slopes(n_heads: int) -> list[float]:
    """Return ALiBi's slopes as numbers."""
    return alibi_slopes(n_heads).tolist()


def weights_by_bias_alone(n_words: int, slope: float) -> Float[np.ndarray, "distance"]:
    """Return the last word's weights by distance back if it matches all words equally well."""
    last = linear_bias(n_words, n_words, slopes=torch.tensor([slope], dtype=torch.float64))[0, -1]
    return last.softmax(dim=-1).flip(0).numpy()


UNTOUCHED = 0.1
"""Degrees below which a row counts as not turned, because of weights at half precision."""

Table = Float[np.ndarray, "position d_model"]


@dataclass(frozen=True)
class LearnedTable:
    """The rows of a position table before and after training."""

    before: Table
    after: Table

    def turned(self) -> Float[np.ndarray, "position"]:
        """Return the angle in degrees between each row before and after training."""
        cosines = (_unit(self.before) * _unit(self.after)).sum(axis=1)
        return np.degrees(np.arccos(np.clip(cosines, -1, 1)))

    @property
    def reach(self) -> int:
        """Number of positions that training has turned; a row without a gradient only shrinks."""
        return int(np.flatnonzero(self.turned() > UNTOUCHED)[-1]) + 1

    @property
    def longest_sentence(self) -> int:
        """Words of the longest training sentence; its last word is predicted from the row before."""
        return self.reach + 1


def learned_table(model: Transformer, *, seed: int) -> LearnedTable:
    """Return the learned position table of a model trained from the weights of this seed."""
    untrained = Transformer(model.config)
    initialise(untrained, seed=seed)
    return LearnedTable(_rows(untrained), _rows(model))


def _rows(model: Transformer) -> Table:
    assert isinstance(model.positions, Learned)
    return model.positions.table.detach().cpu().double().numpy()


def _unit(rows: Table) -> Table:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


Vector = Float[np.ndarray, "d_head"]
Pairs = Float[np.ndarray, "pair two"]


@dataclass(frozen=True)
class UnrotatedPair:
    """A query and a key before rotation, in double precision, and the scale of their scores."""

    q: Vector
    k: Vector
    scale: float

    def pairs(self, query: int, key: int) -> tuple[Pairs, Pairs]:
        """Return the query and the key at their positions, as arrows in the plane of each pair."""
        return _pairs(_everywhere(self.q, query + 1)[-1]), _pairs(_everywhere(self.k, key + 1)[-1])

    def parts(self, query: int, key: int) -> Float[np.ndarray, "pair"]:
        """Return the contribution of each pair to the score; their sum is the score."""
        q, k = self.pairs(query, key)
        return (q * k).sum(axis=1) * self.scale


def unrotated_pair(reading: Reading, layer: int, head: int, query: int, key: int) -> UnrotatedPair:
    """Return the query and the key of two words in a model with rotary positions, turned back to 0."""
    found = reading.calculation(layer, head, query, key)
    return UnrotatedPair(_turned_back(found.q, query), _turned_back(found.k, key), found.scale)


def radians_per_word(d_head: int) -> Float[np.ndarray, "pair"]:
    """Return the angle in radians of each pair from one position to the next."""
    return rotary_angles(2, d_head)[1].numpy()


def _everywhere(vector: Vector, n_positions: int) -> Float[np.ndarray, "position d_head"]:
    d_head = len(vector)
    copies = torch.from_numpy(vector).expand(1, 1, n_positions, d_head)
    return rotate_pairs(copies, rotary_angles(n_positions, d_head))[0, 0].numpy()


def _turned_back(vector: Vector, position: int) -> Vector:
    angles = rotary_angles(position + 1, len(vector))[-1:]
    return rotate_pairs(torch.from_numpy(vector)[None, None, None], -angles)[0, 0, 0].numpy()


def _pairs(vector: Vector) -> Pairs:
    return rearrange(vector, "(pair two) -> pair two", two=2)


def matrix(n_positions: int, d_model: int) -> Float[np.ndarray, "position d_model"]:
    """Return the sinusoids as an array."""
    return sinusoids(n_positions, d_model).numpy()


def wavelength(pair: int, d_model: int) -> float:
    """Return the number of positions after which the sine and cosine of a pair repeat."""
    return 2 * math.pi * LONGEST_WAVELENGTH ** (2 * pair / d_model)


def products(n_positions: int, d_model: int) -> Float[np.ndarray, "position other"]:
    """Return the dot product of every two positions: Σ cos(offset · frequency)."""
    waves = matrix(n_positions, d_model)
    return waves @ waves.T


def along_diagonals(square: Float[np.ndarray, "n n"]) -> tuple[Float[np.ndarray, "offset"], float]:
    """Return the first number of every diagonal from the main one up, and the largest spread within one."""
    n = len(square)
    diagonals = [np.diagonal(square, offset) for offset in range(1 - n, n)]
    spread = max(float(np.ptp(diagonal)) for diagonal in diagonals)
    return square[0], spread
