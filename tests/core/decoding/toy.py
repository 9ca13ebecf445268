"""A model small enough to try every sentence: the next word depends on all words before it."""

from dataclasses import dataclass
from itertools import product

import torch
from torch import Tensor

from core.model.initialisation import normal

VOCAB, START, END = 4, 0, 3


@dataclass(frozen=True)
class Toy:
    """Random logits for every beginning; repeatable."""

    seed: int
    words: tuple[tuple[int, ...], ...] = ((),)

    def step(self, words: Tensor) -> tuple[Tensor, "Toy"]:
        longer = tuple((*row, word) for row, word in zip(self.words, words.tolist(), strict=True))
        return torch.stack([logits(self.seed, row) for row in longer]), Toy(self.seed, longer)

    def select_rows(self, chosen: Tensor) -> "Toy":
        return Toy(self.seed, tuple(self.words[i] for i in chosen.tolist()))


def logits(seed: int, words: tuple[int, ...]) -> Tensor:
    """Of the word after these, which begin with START."""
    return 2 * normal([VOCAB], seed=seed, name=f"after {words}").double()


def total(seed: int, sentence: tuple[int, ...]) -> float:
    """Return the log-probability of a sentence, word by word."""
    words, summed = (START,), 0.0
    for word in sentence:
        summed += logits(seed, words).log_softmax(dim=0)[word].item()
        words = (*words, word)
    return summed


def every_sentence(longest: int) -> list[tuple[int, ...]]:
    """Return every way to end within `longest` words, and every way not to."""
    found = []
    for length in range(1, longest + 1):
        for words in product(range(VOCAB), repeat=length):
            ends = words[-1] == END
            if END not in words[:-1] and (ends or length == longest):
                found.append(words)
    return found
