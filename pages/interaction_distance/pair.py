"""Two words of a sentence: where a path starts and the state it leads to, chosen in menus or by clicks."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Bool

from core.model.config import ModelConfig
from core.model.masks import MASKS
from pages.contract.ask import Ask
from pages.contract.words import Words

SOURCE, TARGET = "from", "to"
"""The parameters of the link that have the two words."""


@dataclass(frozen=True)
class Pair:
    """Two words of a sentence, counted from 0, and the architecture of the networks between them."""

    words: Words
    config: ModelConfig
    source: int
    target: int

    @property
    def plain(self) -> tuple[str, ...]:
        """The sentence, for figures and tables."""
        return tuple(map(str, self.words))

    @property
    def ends(self) -> tuple[int, int]:
        """The two words, as the figures want them."""
        return self.source, self.target

    @cached_property
    def allowed(self) -> Bool[np.ndarray, "query key"]:
        """Which word may attend to which."""
        return MASKS[self.config.mask].allowed(len(self.words))[0, 0].numpy()


def from_first_to_last(words: Words, config: ModelConfig) -> Pair:
    """The pair that stands while nobody has chosen."""
    return Pair(words, config, 0, len(words) - 1)


def ask_pair(ask: Ask, words: Words, config: ModelConfig) -> Pair:
    """The two words chosen: at first the first and the last."""
    source = ask.word(SOURCE, words, unchosen="first")
    target = ask.word(TARGET, words, unchosen="last")
    return Pair(words, config, 0 if source is None else source, len(words) - 1 if target is None else target)
