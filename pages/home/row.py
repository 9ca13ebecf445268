"""The row on the home: the query word, the words it attends to, and the model's next word."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from core.measures.heads.effects import DecisiveHead, decisive_head
from core.measures.reading import Calculation, read
from core.text.tokenizer import words_of
from pages.contract.caching import cached_for_all
from pages.contract.examples import PRAISED
from pages.contract.loading import loaded
from pages.contract.switches import Architecture

WORDS = words_of(PRAISED)
ASKS = len(WORDS) - 1
"""Position of the query word, the last one, which may attend to all others."""

CHOICES = ("Maria", "Zuko", "stores")
"""Nouns of the sentence, which the model could predict next."""


@dataclass(frozen=True, eq=False)
class HomeRow:
    """Weights of the last word in the head that the next word depends on most, and their calculations.

    `first` and `second` are the positions of the two largest weights, and `mixed` is the output of the head.
    `positions` names the position scheme of the model.
    """

    decisive: DecisiveHead
    weights: Float[np.ndarray, "key"]
    calculations: tuple[Calculation, ...]
    mixed: Float[np.ndarray, "d_head"]
    positions: str

    @property
    def first(self) -> int:
        """Return the position of the largest weight."""
        return int(np.argsort(-self.weights)[0])

    @property
    def second(self) -> int:
        """Return the position of the second largest weight."""
        return int(np.argsort(-self.weights)[1])

    @property
    def expected(self) -> str:
        """Return the word that the model predicts, spelt as in the sentence."""
        prediction = self.decisive.all_heads
        word = prediction.vocabulary[int(prediction.probabilities(ASKS).argmax())]
        return next((one for one in WORDS if one.lower() == word), word)

    def probability(self, word: str, *, without: bool = False) -> float:
        """Return the probability of a word after the last, with all heads or without the head shown."""
        prediction = self.decisive.without if without else self.decisive.all_heads
        return float(prediction.probabilities(ASKS)[prediction.vocabulary.index(word.lower())])

    def weight_of(self, word: str) -> float:
        """Return the weight of all mentions of a word together."""
        return float(sum(self.weights[at] for at, one in enumerate(WORDS) if one == word))


@cached_for_all()
def asked_row(switches: Architecture) -> HomeRow:
    """Return the row by the model of the switches. Raises UnavailableError if it is not there."""
    model = loaded(WORDS, switches)
    decisive, reading = decisive_head(model, position=ASKS), read(model)
    layer, head = decisive.layer, decisive.head
    return HomeRow(
        decisive=decisive,
        weights=reading.pattern(layer, head)[ASKS],
        calculations=tuple(reading.calculation(layer, head, ASKS, key) for key in range(len(WORDS))),
        mixed=reading.head(layer, head).z[ASKS],
        positions=switches.config.positions,
    )
