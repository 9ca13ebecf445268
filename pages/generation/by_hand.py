"""Words chosen by hand in place of a model's choice, as a link spells them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.measures.generation.writing import WRITERS
from core.text import language
from core.text.tokenizer import MAX_WORDS

MOST = 40
"""Greatest number of choices that are kept."""

BETWEEN = ";"

_CHOICE = re.compile(r"(?P<writer>[A-Z])(?P<step>[1-9]\d{0,2})=(?P<word>\S+)", re.ASCII)

_WRITERS = {name[0]: name for name in WRITERS}


@dataclass(frozen=True)
class ByHand:
    """A word chosen for a writer at a step, counted from 0 after the given words."""

    writer: str
    step: int
    word: str


def spell(choices: Iterable[ByHand]) -> str:
    """Return the choices in the order in which they were made: `R3=was;T12=,` with steps counted from 1."""
    return BETWEEN.join(f"{one.writer[0]}{one.step + 1}={one.word}" for one in choices)


def parse_choices(text: str) -> tuple[ByHand, ...]:
    """Read the choices that `spell` wrote. Raises ValueError, naming the form, for any other text."""
    choices = text.split(BETWEEN)
    if len(choices) > MOST:
        raise ValueError(f"at most {MOST} words are chosen by hand, got {len(choices)}")
    return tuple(map(_choice, choices))


def standing(choices: Iterable[ByHand], writer: str) -> tuple[tuple[int, str], ...]:
    """Return the valid choices for a writer, by step.

    A choice removes earlier ones at later steps, because they were made for another text.
    """
    found: dict[int, str] = {}
    for one in choices:
        if one.writer == writer:
            found = {step: word for step, word in found.items() if step < one.step} | {one.step: one.word}
    return tuple(sorted(found.items()))


def with_choice(choices: Sequence[ByHand], new: ByHand) -> tuple[ByHand, ...]:
    """Return the choices and a new one; if there are too many, the oldest is dropped."""
    return (*choices, new)[-MOST:]


def _choice(text: str) -> ByHand:
    match = _CHOICE.fullmatch(text)
    writers = ", ".join(_WRITERS)
    if match is None or match["writer"] not in _WRITERS:
        raise ValueError(f"each choice is one of {writers}, a step, = and a word, as in R3=was, got {text}")
    if int(match["step"]) > MAX_WORDS:
        raise ValueError(f"steps are between 1 and {MAX_WORDS}, got {match['step']}")
    if match["word"] not in language.vocabulary():
        raise ValueError(f"words chosen are words of the language, got {match['word']}")
    return ByHand(_WRITERS[match["writer"]], int(match["step"]) - 1, match["word"])
