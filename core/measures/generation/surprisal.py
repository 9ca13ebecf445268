"""How likely each word of a text is to several models that read it, and how well they expect all of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float

from core.arrays import array_of, read_only
from core.decoding import LanguageModel
from core.measures.generation.writing import logits_of
from core.text import language


@dataclass(frozen=True, eq=False)
class Surprisals:
    """Surprisal −ln p of every word of a text given those before it, in nats, for each model.

    It is not a number for the first word, which nobody is asked for, and for words that are `unknown`.
    """

    words: tuple[str, ...]
    unknown: tuple[int, ...]
    nats: Mapping[str, Float[np.ndarray, "position"]]

    def probabilities(self, writer: str) -> Float[np.ndarray, "position"]:
        """How likely each word was to a model."""
        return np.exp(-self.nats[writer])

    def perplexities(self, n_words: int | None = None) -> dict[str, float]:
        """exp of the mean surprisal of the first `n_words` words, for each model; none if none is scored.

        A model that took k words to be equally likely each time has a perplexity of k.
        """
        found = {writer: nats[:n_words][np.isfinite(nats[:n_words])] for writer, nats in self.nats.items()}
        return {writer: float(np.exp(nats.mean())) for writer, nats in found.items() if len(nats)}


@torch.inference_mode()
def surprisals(models: Mapping[str, LanguageModel], words: Sequence[str]) -> Surprisals:
    """The surprisal of every word to each of these models of the language."""
    encoding = language.encode(words)
    found = {}
    for writer, model in models.items():
        logits = logits_of(model, encoding.tokens)
        log_probabilities = logits[:-1].double().log_softmax(dim=-1)
        nats = np.full(len(words), np.nan)
        nats[1:] = -array_of(log_probabilities.gather(1, encoding.tokens[0, 1:, None])[:, 0])
        nats[list(encoding.unknown)] = np.nan
        found[writer] = read_only(nats)
    return Surprisals(tuple(words), encoding.unknown, found)
