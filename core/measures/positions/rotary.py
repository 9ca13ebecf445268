"""Rotary positions as numbers to look at: one query and one key, moved through the sentence together."""

from dataclasses import dataclass

import numpy as np
import torch
from einops import rearrange
from jaxtyping import Float

from core.measures.reading import Reading
from core.model.positions.rotary import rotary_angles, rotate_pairs

Vector = Float[np.ndarray, "d_head"]
Pairs = Float[np.ndarray, "pair two"]


@dataclass(frozen=True)
class Meeting:
    """A query and a key as they are before any turn, in double precision, and the scale of their scores."""

    q: Vector
    k: Vector
    scale: float

    def pairs(self, query: int, key: int) -> tuple[Pairs, Pairs]:
        """The query at its position and the key at its own, as arrows in the plane of each pair."""
        return _pairs(_everywhere(self.q, query + 1)[-1]), _pairs(_everywhere(self.k, key + 1)[-1])

    def parts(self, query: int, key: int) -> Float[np.ndarray, "pair"]:
        """What each pair contributes to the score; together they are the score."""
        q, k = self.pairs(query, key)
        return (q * k).sum(axis=1) * self.scale


def meeting(reading: Reading, layer: int, head: int, query: int, key: int) -> Meeting:
    """The query of one word and the key of another in a model with rotary positions, turned back to 0."""
    found = reading.calculation(layer, head, query, key)
    return Meeting(_turned_back(found.q, query), _turned_back(found.k, key), found.scale)


def radians_per_word(d_head: int) -> Float[np.ndarray, "pair"]:
    """How far each pair turns from one position to the next."""
    return rotary_angles(2, d_head)[1].numpy()


def _everywhere(vector: Vector, n_positions: int) -> Float[np.ndarray, "position d_head"]:
    """The vector as it is turned at each position."""
    d_head = len(vector)
    copies = torch.from_numpy(vector).expand(1, 1, n_positions, d_head)
    return rotate_pairs(copies, rotary_angles(n_positions, d_head))[0, 0].numpy()


def _turned_back(vector: Vector, position: int) -> Vector:
    angles = rotary_angles(position + 1, len(vector))[-1:]
    return rotate_pairs(torch.from_numpy(vector)[None, None, None], -angles)[0, 0, 0].numpy()


def _pairs(vector: Vector) -> Pairs:
    return rearrange(vector, "(pair two) -> pair two", two=2)
