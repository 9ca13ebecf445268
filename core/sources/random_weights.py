"""Models at initialisation, for any word of any language."""

from collections.abc import Sequence
from dataclasses import replace

import torch

from core.device import choose_device
from core.model.config import ModelConfig
from core.model.initialisation import DrawingNothing, initialise, word_vectors
from core.model.models import Transformer
from core.sources.source import LoadedModel, Source
from core.store import cached
from core.text.tokenizer import Vocabulary


def fresh(config: ModelConfig, words: Sequence[str], seed: int) -> LoadedModel:
    """Return a model at initialisation, whose vocabulary is the distinct words of the sentence.

    Each word has a vector that depends on the word and the seed alone, in the output layer too. The model is
    not shared, is on the CPU, and is ready to be trained.
    """
    vocabulary = Vocabulary(list(dict.fromkeys(words)))
    with DrawingNothing():
        model = Transformer(replace(config, vocab_size=len(vocabulary)))
    initialise(model, seed=seed, but=("embed.weight", "unembed.weight"))
    vectors = word_vectors(vocabulary.words, config.d_model, seed=seed)
    with torch.no_grad():
        model.embed.weight.copy_(vectors)
        model.unembed.weight.copy_(vectors * config.d_model**-0.5)
    return LoadedModel(model, vocabulary, tuple(words), vocabulary.encode(words))


def load(config: ModelConfig, words: Sequence[str], seed: int) -> LoadedModel:
    """Return the model of `fresh`, shared and on the device in use."""
    return _made(config, tuple(map(str.__str__, words)), seed)


@cached
def _made(config: ModelConfig, words: tuple[str, ...], seed: int) -> LoadedModel:
    new, device = fresh(config, words, seed), choose_device()
    model = new.model.eval().requires_grad_(False).to(device)
    return replace(new, model=model, tokens=new.tokens.to(device))


RANDOM = Source(load, most_layers=6, seeded=True, trained=False)
