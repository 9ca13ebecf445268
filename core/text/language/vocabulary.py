"""The words of the language with their numbers, and what becomes of a word it does not have."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from jaxtyping import Int
from torch import Tensor

from core.text.language.grammar import GRAMMAR, Slot
from core.text.tokenizer import Vocabulary

PAD = "<pad>"
UNKNOWN = "<unk>"
MASK = "<mask>"
START = "<s>"
SPECIAL = (PAD, UNKNOWN, MASK, START)


@dataclass(frozen=True)
class Encoding:
    """Token ids, and the positions of the words that the vocabulary does not have: those became `<unk>`."""

    tokens: Int[Tensor, "batch position"]
    unknown: tuple[int, ...]


@cache
def vocabulary() -> Vocabulary:
    """The special words first, then every word that a sentence can have, sorted."""
    drawn = {
        form.text
        for symbol in GRAMMAR.values()
        for rule in symbol.rules
        for slot in rule.slots
        if isinstance(slot, Slot)
        for forms in slot.forms.values()
        for form in forms
    }
    return Vocabulary((*SPECIAL, *sorted(drawn)))


def fold(word: str) -> str:
    """The word as the vocabulary writes it: without capitals, and with a straight apostrophe."""
    return word.casefold().replace("’", "'")


def encode(words: Sequence[str]) -> Encoding:
    """Token ids of `words` as a batch of one, without a start; a word that is not known is `<unk>`."""
    known = vocabulary()
    folded = [fold(word) for word in words]
    unknown = tuple(position for position, word in enumerate(folded) if word not in known)
    tokens = known.encode([word if word in known else UNKNOWN for word in folded])
    return Encoding(tokens, unknown)
