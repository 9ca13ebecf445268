"""How likely a phrase is to have exactly a given number of words: used to draw one of that length.

These are the inside probabilities of a context-free grammar by length alone: every slot is one word.
"""

from functools import cache
from itertools import accumulate

from core.text.language.grammar import GRAMMAR, Phrase


@cache
def rule_totals(symbol: str, length: int) -> tuple[float, ...]:
    """Return the cumulative weights with which the rules of `symbol` make exactly `length` words."""
    rules = GRAMMAR[symbol].rules
    return tuple(accumulate(rule.weight * _rest(symbol, i, 0, length) for i, rule in enumerate(rules)))


@cache
def part_totals(symbol: str, rule: int, slot: int, length: int) -> tuple[float, ...]:
    """Return cumulative weights for 0, 1, … words at `slot` if it and the rest make `length` words."""
    phrase = GRAMMAR[symbol].rules[rule].slots[slot]
    assert isinstance(phrase, Phrase)
    return tuple(
        accumulate(
            share and share * _rest(symbol, rule, slot + 1, length - words)
            for words, share in enumerate(_share(phrase.symbol, words) for words in range(length + 1))
        )
    )


def _share(symbol: str, length: int) -> float:
    """Return the probability that `symbol` makes exactly `length` words."""
    return rule_totals(symbol, length)[-1] / GRAMMAR[symbol].totals[-1]


@cache
def _rest(symbol: str, rule: int, slot: int, length: int) -> float:
    """Return the probability that the slots of a rule from `slot` on make exactly `length` words."""
    slots = GRAMMAR[symbol].rules[rule].slots
    if slot == len(slots) or length < 0:
        return float(length == 0)
    if isinstance(slots[slot], Phrase):
        return part_totals(symbol, rule, slot, length)[-1]
    return _rest(symbol, rule, slot + 1, length - 1)
