"""Similarity of sentences to a model: the cosine of the means of their states."""

from collections.abc import Iterable

import numpy as np
import torch
from jaxtyping import Float

from core.arrays import array_of
from core.sources import LoadedModel


def similarities(sentence: LoadedModel, others: Iterable[LoadedModel]) -> Float[np.ndarray, "other"]:
    """Return the cosines of the mean states of a sentence and others (Reimers and Gurevych 2019)."""
    vectors = np.stack([_vector(sentence), *map(_vector, others)])
    directions = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines: np.ndarray = directions[1:] @ directions[0]
    return cosines


@torch.inference_mode()
def _vector(loaded: LoadedModel) -> Float[np.ndarray, "d_model"]:
    return array_of(loaded.model.states(loaded.tokens)[0].double().mean(dim=0))
