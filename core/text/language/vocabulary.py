"""The words of the language with their numbers, and the encoding of unknown words."""

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
    """Token ids, and the positions of unknown words, which became `<unk>`."""

    tokens: Int[Tensor, "batch position"]
    unknown: tuple[int, ...]


@cache
def vocabulary() -> Vocabulary:
    """Return the special words, then every word that a sentence can have, sorted."""
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
    """Return the word as the vocabulary writes it: in small letters, with a straight apostrophe."""
    return word.casefold().replace("’", "'")


def encode(words: Sequence[str]) -> Encoding:
    """Return token ids of `words` as a batch of one, without a start; an unknown word is `<unk>`."""
    known = vocabulary()
    folded = [fold(word) for word in words]
    unknown = tuple(position for position, word in enumerate(folded) if word not in known)
    tokens = known.encode([word if word in known else UNKNOWN for word in folded])
    return Encoding(tokens, unknown)
