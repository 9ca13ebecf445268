"""Questions made of results; a question is left out if two answers could be right."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import isclose, isfinite, sqrt
from zlib import crc32

from pages.contract.prose import Typed
from pages.contract.question import Arrange, Choose, Option, Sketch
from viz.text import unique_words

APART = 0.05
"""Share of the largest value by which two values must differ; a smaller difference cannot be foreseen."""

LONGEST_NAME = 40
"""Characters of the longest word in an option; a longer one is cut."""

MOST_OPTIONS, MOST_ITEMS, MOST_BARS = 4, 5, 16
"""Answers that can be read at a glance, items that can be ordered in one's head, bars drawn in a minute."""

Values = Mapping[str, float]

Margin = Callable[[float, float], float]
"""Function of two values that returns how far apart they must be for one to be clearly larger."""


def choose(text: str, *options: Option, because: str, in_order: bool = False) -> Choose | None:
    """Return a choice, or None unless exactly one option holds and every other one clearly does not.

    Options with the same text count as one. They are mixed unless they are `in_order`, an order that must not
    give away the right one. A reason that repeats `because` is left out.
    """
    different = {one.text: one for one in reversed(options)}
    held = [one.holds for one in different.values()]
    agree = all(one.holds == different[one.text].holds for one in options)
    if not agree or len(held) < 2 or None in held or sum(map(bool, held)) != 1:
        return None
    shown = list(reversed(different.values()))
    if not in_order:
        shown.sort(key=lambda one: _shuffled(text, one.text))
    without = (one.holds or one.why_not == because for one in shown)
    told = [
        replace(one, why_not="") if left_out else one for one, left_out in zip(shown, without, strict=True)
    ]
    return Choose(text=text, options=tuple(told), because=because)


def choose_largest(
    text: str,
    values: Values,
    *,
    because: str,
    why_not: Mapping[str, str] | None = None,
    smallest: bool = False,
    apart: float = APART,
    of_questions: int = 0,
) -> Choose | None:
    """Return which has the largest value, or the smallest; the options stand in the order of `values`.

    Return None unless one is clearly ahead of all others: by a share `apart` of the largest value and, if the
    values are shares of `of_questions` questions, by more than luck. If there are many, it is offered with
    its closest rivals.
    """
    if not all(map(isfinite, values.values())):
        return None
    sign, least = -1 if smallest else 1, apart * max(map(abs, values.values()), default=0.0)

    def margin(one: float, other: float) -> float:
        return max(least, luck(one, other, of_questions) if of_questions else 0.0)

    ranked = sorted(values, key=lambda name: -sign * values[name])
    options = [
        Option(name, _is_ahead(name, values, sign, margin), (why_not or {}).get(name, ""))
        for name in values
        if name in ranked[:MOST_OPTIONS]
    ]
    return choose(text, *options, because=because, in_order=True)


def exceeds(value: float, limit: float, margin: float) -> bool | None:
    """Return whether a value exceeds a limit; None if it is within the margin of the limit, or not finite."""
    if not isfinite(value) or abs(value - limit) <= margin:
        return None
    return bool(value > limit)


def is_near(value: float, target: float, *, within: float, beyond: float) -> bool | None:
    """Return True within one distance of a target, False from another one on, and None between the two."""
    off = abs(value - target)
    if not isfinite(off) or within < off < beyond:
        return None
    return bool(off <= within)


def is_not(holds: bool | None) -> bool | None:
    """Return the opposite of what holds; None stays None."""
    return None if holds is None else not holds


def luck(one: float, other: float, n: int) -> float:
    """Return two standard errors of the difference between two shares of `n` questions each.

    Each share gets one right and one wrong answer more: a share of 1 has an error too.
    """
    shares = [(share * n + 1) / (n + 2) for share in (one, other)]
    return 2 * sqrt(sum(share * (1 - share) / n for share in shares))


def _is_ahead(name: str, values: Values, sign: int, margin: Margin) -> bool | None:
    """Return whether a value is ahead of all others; None if it is within the margin of the best of them."""
    others = [value for other, value in values.items() if other != name]
    ahead = [exceeds(sign * (values[name] - one), 0, margin(values[name], one)) for one in others]
    return False if False in ahead else None if None in ahead else True


def arrange(text: str, values: Values, *, because: str, apart: float = APART) -> Arrange | None:
    """Return the names by their values, the largest first; None if two are closer than `apart`."""
    if not 2 <= len(values) <= MOST_ITEMS or not all(map(isfinite, values.values())):
        return None
    margin = apart * max(map(abs, values.values()))
    ranked = sorted(values, key=lambda name: -values[name])
    pairs = pairwise(values[name] for name in ranked)
    if not all(exceeds(one - other, 0, margin) for one, other in pairs):
        return None
    mixed = sorted(values, key=lambda name: _shuffled(text, name))
    if mixed == ranked:
        mixed = [*mixed[1:], mixed[0]]
    return Arrange(
        text=text, items=tuple(mixed), right=tuple(mixed.index(name) for name in ranked), because=because
    )


def mistakes(right: float, *known: tuple[float, str], near: float = 0) -> tuple[tuple[float, str], ...]:
    """Return the values that come of known misconceptions, except values that are right by chance.

    A value of two misconceptions is left out, because it does not tell which of them is behind an answer.
    """

    def is_alone(at: int) -> bool:
        return not any(isclose(known[at][0], one) for i, (one, _) in enumerate(known) if i != at)

    return tuple(pair for at, pair in enumerate(known) if abs(pair[0] - right) > near and is_alone(at))


def sketch(text: str, labels: Sequence[str], shares: Sequence[float], *, because: str) -> Sketch | None:
    """Return shares to be drawn; None if there are too many bars, or only one."""
    if not 2 <= len(labels) <= MOST_BARS or not all(map(isfinite, shares)):
        return None
    right = tuple(max(0.0, float(share)) for share in shares)
    return Sketch(text=text, labels=tuple(labels), right=right, because=because)


def unique_labels(words: Sequence[str]) -> tuple[Typed, ...]:
    """Return words as options and labels name them: equal ones carry their position, `tea (5)`."""
    cut = (word if len(word) <= LONGEST_NAME else f"{word[: LONGEST_NAME - 1]}…" for word in map(str, words))
    return tuple(map(Typed, unique_words(tuple(cut))))


def _shuffled(text: str, answer: str) -> int:
    """Return a position of the answer that reveals nothing and is the same in every process."""
    return crc32(f"{text}|{answer}".encode())
