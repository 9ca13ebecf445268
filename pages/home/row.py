"""The row that the home shows: the word that asks, what it attends to, what the model expects next."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from core.measures.heads.effects import DecisiveHead, decisive_head
from core.measures.reading import Calculation, read
from core.text.tokenizer import words_of
from pages.contract.examples import PRAISED
from pages.contract.loading import loaded
from pages.contract.memory import remembered
from pages.contract.switches import Architecture

WORDS = words_of(PRAISED)
ASKS = len(WORDS) - 1
"""The position of the word that asks, the last one, which sees all others."""

CHOICES = ("Maria", "Zuko", "stores")
"""Who could be praised: the nouns of the sentence."""


@dataclass(frozen=True, eq=False)
class AskedRow:
    """The weights of the last word in the head that the next word depends on most, and their calculations.

    `first` and `second` are the positions of the two largest weights, and `mixed` is what the head gives.
    `positions` names the position scheme of the model.
    """

    decisive: DecisiveHead
    weights: Float[np.ndarray, "key"]
    calculations: tuple[Calculation, ...]
    mixed: Float[np.ndarray, "d_head"]
    positions: str

    @property
    def first(self) -> int:
        """The position of the largest weight."""
        return int(np.argsort(-self.weights)[0])

    @property
    def second(self) -> int:
        """The position of the second largest weight."""
        return int(np.argsort(-self.weights)[1])

    @property
    def expected(self) -> str:
        """The word that the model expects, as the sentence writes it."""
        prediction = self.decisive.all_heads
        word = prediction.vocabulary[int(prediction.probabilities(ASKS).argmax())]
        return next((one for one in WORDS if one.lower() == word), word)

    def probability(self, word: str, *, without: bool = False) -> float:
        """What the model gives to a word after the last, with all heads or without the one shown."""
        prediction = self.decisive.without if without else self.decisive.all_heads
        return float(prediction.probabilities(ASKS)[prediction.vocabulary.index(word.lower())])

    def weight_of(self, word: str) -> float:
        """The weight of all mentions of a word together."""
        return float(sum(self.weights[at] for at, one in enumerate(WORDS) if one == word))


@remembered()
def asked_row(switches: Architecture) -> AskedRow:
    """The row as the model of the switches computes it. Raises UnavailableError where there is none."""
    model = loaded(WORDS, switches)
    decisive, reading = decisive_head(model, position=ASKS), read(model)
    layer, head = decisive.layer, decisive.head
    return AskedRow(
        decisive=decisive,
        weights=reading.pattern(layer, head)[ASKS],
        calculations=tuple(reading.calculation(layer, head, ASKS, key) for key in range(len(WORDS))),
        mixed=reading.head(layer, head).z[ASKS],
        positions=switches.config.positions,
    )
