"""Where a model's weights come from: each source turns a configuration and a sentence into a model."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import torch
from jaxtyping import Int
from torch import Tensor

from core.config import ModelConfig
from core.device import choose_device
from core.initialisation import initialise, word_vectors
from core.models import Transformer
from core.tokenizer import Vocabulary


@dataclass(frozen=True)
class LoadedModel:
    """A model ready to run on a sentence, with the vocabulary its tokens refer to.

    Shared by all visitors: nothing may change it.
    """

    model: Transformer
    vocabulary: Vocabulary

    def encode(self, words: Sequence[str]) -> Int[Tensor, "batch position"]:
        """Token ids of `words` on the model's device."""
        return self.vocabulary.encode(words).to(self.model.embed.weight.device)


Source = Callable[[ModelConfig, Sequence[str], int], LoadedModel]


def random_weights(config: ModelConfig, words: Sequence[str], seed: int) -> LoadedModel:
    """A model at initialisation, its vocabulary the distinct words of the sentence.

    Every word, known or not, has a vector of its own that depends on the word and the seed alone;
    the output layer compares states with those same vectors.
    """
    vocabulary = Vocabulary(list(dict.fromkeys(words)))
    model = Transformer(replace(config, vocab_size=len(vocabulary)))
    initialise(model, seed=seed)
    vectors = word_vectors(vocabulary.words, config.d_model, seed=seed)
    with torch.no_grad():
        model.embed.weight.copy_(vectors)
        model.unembed.weight.copy_(vectors * config.d_model**-0.5)
    return LoadedModel(model.eval().requires_grad_(False).to(choose_device()), vocabulary)


SOURCES: dict[str, Source] = {"random": random_weights}
"""Every source by the name the switch and the link use."""


def load(source: str, config: ModelConfig, words: Sequence[str], seed: int) -> LoadedModel:
    """The model that `source` has for a configuration and a sentence; raises KeyError naming the sources."""
    if source not in SOURCES:
        raise KeyError(f"there is no source {source!r}; there are: {', '.join(SOURCES)}")
    return SOURCES[source](config, words, seed)
