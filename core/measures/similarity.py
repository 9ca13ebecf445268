"""How alike sentences are to a model: the cosine of the means of their states."""

from collections.abc import Sequence

import numpy as np
import torch
from jaxtyping import Float

from core.arrays import array_of
from core.model.config import ModelConfig
from core.sources import load


def similarities(
    sentence: Sequence[str],
    others: Sequence[Sequence[str]],
    config: ModelConfig,
    *,
    source: str,
    seed: int = 0,
) -> Float[np.ndarray, "other"]:
    """The cosine between the vector of a sentence and that of each other, from −1 to 1.

    The vector of a sentence is the mean of the states of all its tokens, special ones included (Reimers and
    Gurevych 2019, section 3). Sentences are given in the words that the model reads. Raises what
    `core.sources.load` raises.
    """
    vectors = np.stack([_vector(one, config, source, seed) for one in (sentence, *others)])
    directions = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines: np.ndarray = directions[1:] @ directions[0]
    return cosines


@torch.inference_mode()
def _vector(
    words: Sequence[str], config: ModelConfig, source: str, seed: int
) -> Float[np.ndarray, "d_model"]:
    loaded = load(source, config, words, seed)
    return array_of(loaded.model.states(loaded.tokens)[0].double().mean(dim=0))
