"""Questions made of numbers that were found: none where the answer would be a tie."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import isfinite
from zlib import crc32

from pages.contract.question import Arrange, Choose, Option, Sketch
from pages.controls.prose import Typed
from viz.tables import unique_words

APART = 0.05
"""Share of the largest value by which two must differ: else nobody could expect the one before the other."""

LONGEST_NAME = 40
"""Characters of a word in an option: it is quoted in full, with its position."""

MOST_OPTIONS, MOST_ITEMS, MOST_BARS = 4, 5, 16
"""Answers read at a glance, items ordered in one's head, bars drawn in a minute."""

Values = Mapping[str, float]


def choose(text: str, right: str, wrong: Mapping[str, str], *, because: str) -> Choose:
    """The right answer among wrong ones, each with the sentence that resolves it or none; no order tells.

    What is said of the right one resolves some of the wrong ones too: it is not said twice.
    """
    options = [Option(right), *(Option(answer, why * (why != because)) for answer, why in wrong.items())]
    mixed = sorted(options, key=lambda one: _shuffled(text, one.text))
    return Choose(text=text, options=tuple(mixed), right=mixed.index(options[0]), because=because)


def choose_largest(
    text: str,
    values: Values,
    *,
    because: str,
    why_not: Mapping[str, str] | None = None,
    smallest: bool = False,
    apart: float = APART,
) -> Choose | None:
    """Which has the largest value, or the smallest; the options stand in the order of `values`.

    None where the first two are not clearly apart. Of many the right one and its closest rivals are offered.
    """
    sign = -1 if smallest else 1
    ranked = sorted(values, key=lambda name: -sign * values[name])
    if len(ranked) < 2 or not _is_clear([values[name] for name in ranked[:2]], apart, of=values):
        return None
    offered = [name for name in values if name in ranked[:MOST_OPTIONS]]
    options = tuple(Option(name, (why_not or {}).get(name, "")) for name in offered)
    return Choose(text=text, options=options, right=offered.index(ranked[0]), because=because)


def arrange(text: str, values: Values, *, because: str, apart: float = APART) -> Arrange | None:
    """The names by their values, the largest first; None where two of them are not clearly apart.

    They are never offered in the right order.
    """
    if not 2 <= len(values) <= MOST_ITEMS:
        return None
    ranked = sorted(values, key=lambda name: -values[name])
    if not _is_clear([values[name] for name in ranked], apart, of=values):
        return None
    mixed = sorted(values, key=lambda name: _shuffled(text, name))
    if mixed == ranked:
        mixed = [*mixed[1:], mixed[0]]
    return Arrange(
        text=text, items=tuple(mixed), right=tuple(mixed.index(name) for name in ranked), because=because
    )


def mistakes(right: float, known: Mapping[float, str], near: float = 0) -> tuple[tuple[float, str], ...]:
    """What comes of known misconceptions, but for what is right by chance, or too `near` to tell apart."""
    return tuple((value, why) for value, why in known.items() if abs(value - right) > near)


def sketch_values(
    text: str,
    labels: Sequence[str],
    values: Sequence[float],
    *,
    largest: float,
    unit: str,
    because: str,
) -> Sketch | None:
    """Bars that are no shares, from 0 to `largest` of a unit; None if one has no room, or is alone."""
    if not 2 <= len(labels) <= MOST_BARS or not all(0 <= value <= largest for value in values):
        return None
    return Sketch(
        text=text,
        labels=tuple(labels),
        right=tuple(map(float, values)),
        because=because,
        shares=False,
        largest=largest,
        unit=unit,
        are_whole=all(float(value).is_integer() for value in values),
    )


def sketch(text: str, labels: Sequence[str], shares: Sequence[float], *, because: str) -> Sketch | None:
    """A row of shares to be drawn; None where it is too long for that, or has one bar alone."""
    if not 2 <= len(labels) <= MOST_BARS or not all(map(isfinite, shares)):
        return None
    right = tuple(max(0.0, float(share)) for share in shares)
    return Sketch(text=text, labels=tuple(labels), right=right, because=because)


def told_apart(words: Sequence[str]) -> tuple[Typed, ...]:
    """Words as options and labels name them: each differs, equal ones carry their position, `tea (5)`."""
    cut = (word if len(word) <= LONGEST_NAME else f"{word[: LONGEST_NAME - 1]}…" for word in map(str, words))
    return tuple(map(Typed, unique_words(tuple(cut))))


def _is_clear(ranked: Sequence[float], apart: float, *, of: Values) -> bool:
    """Whether neighbours lie farther apart than a share of the largest of all values."""
    if not all(map(isfinite, of.values())):
        return False
    least = apart * max(map(abs, of.values()))
    return all(abs(one - other) > least for one, other in pairwise(ranked))


def _shuffled(text: str, answer: str) -> int:
    """An order that tells nothing and is the same in every process."""
    return crc32(f"{text}|{answer}".encode())
