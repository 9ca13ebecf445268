"""How likely a phrase is to have exactly so many words: what it takes to draw one of a given length.

The inside probabilities of a context-free grammar, by length alone: every drawn place is one word.
"""

from functools import cache
from itertools import accumulate

from core.text.language.grammar import GRAMMAR, Phrase


@cache
def rule_totals(symbol: str, length: int) -> tuple[float, ...]:
    """Weights, added up, with which each rule of `symbol` makes exactly `length` words."""
    rules = GRAMMAR[symbol].rules
    return tuple(accumulate(rule.weight * _rest(symbol, i, 0, length) for i, rule in enumerate(rules)))


@cache
def part_totals(symbol: str, rule: int, slot: int, length: int) -> tuple[float, ...]:
    """For 0, 1, … words in the phrase at `slot`, added up: how likely it and all after it make `length`."""
    phrase = GRAMMAR[symbol].rules[rule].slots[slot]
    assert isinstance(phrase, Phrase)
    return tuple(
        accumulate(
            share and share * _rest(symbol, rule, slot + 1, length - words)
            for words, share in enumerate(_share(phrase.symbol, words) for words in range(length + 1))
        )
    )


def _share(symbol: str, length: int) -> float:
    """The probability that `symbol` makes exactly `length` words."""
    return rule_totals(symbol, length)[-1] / GRAMMAR[symbol].totals[-1]


@cache
def _rest(symbol: str, rule: int, slot: int, length: int) -> float:
    """The probability that the slots of a rule from `slot` on make exactly `length` words."""
    slots = GRAMMAR[symbol].rules[rule].slots
    if slot == len(slots) or length < 0:
        return float(length == 0)
    if isinstance(slots[slot], Phrase):
        return part_totals(symbol, rule, slot, length)[-1]
    return _rest(symbol, rule, slot + 1, length - 1)
