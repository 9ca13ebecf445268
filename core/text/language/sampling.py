"""Sentences drawn from the grammar: the same seed gives the same sentences on every machine."""

from bisect import bisect
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, partial
from hashlib import blake2b
from itertools import accumulate
from random import Random
from typing import Literal, get_args

from core.text.language.forms import Form
from core.text.language.grammar import CONSTRUCTIONS, GRAMMAR, SHARES, Phrase, Slot, starts
from core.text.language.held_out import is_held_out
from core.text.language.sentence import Sentence
from core.text.language.structure import DISTINCT, Leaf, Scope, outlined, structured, unused

Split = Literal["train", "test"]
SPLITS: tuple[Split, ...] = get_args(Split)

TEST_SHARE = 10
"""One distinct sentence in this many is for testing only, for every seed; consequences differ."""

DISTANCES: Mapping[int, float] = {distance: 1 / distance for distance in range(1, 49)}
"""Weights of the distances 1 to 48 from subject to verb: 8 to 15 are nearly as frequent as 4 to 7."""


def split_of(sentence: Sentence) -> Split:
    """Return whether a sentence is for training or testing.

    Consequences are split by their pair of nouns: no training consequence has a pair that is for testing,
    though other training sentences may have both nouns. All other sentences are split by a hash of their
    words.
    """
    if sentence.construction == "consequence":
        return "test" if is_held_out(sentence) else "train"
    digest = blake2b(" ".join(sentence.words).encode(), digest_size=8).digest()
    return "test" if int.from_bytes(digest, "big") % TEST_SHARE == 0 else "train"


def sentences(
    seed: int,
    *,
    split: Split = "train",
    constructions: Collection[str] = CONSTRUCTIONS,
    distance: Mapping[int, float] = DISTANCES,
) -> Iterator[Sentence]:
    """Yield sentences without end, of these constructions in the proportions of their shares.

    `distance` weighs the number of words from the subject of an `agreement` sentence to its main verb.
    """
    return _endless(Random(seed), split, [c for c in CONSTRUCTIONS if c in constructions], distance)


def _endless(
    random: Random, split: Split, constructions: Sequence[str], distance: Mapping[int, float]
) -> Iterator[Sentence]:
    shares = tuple(accumulate(SHARES[name] for name in constructions))
    distances, weights = tuple(distance), tuple(accumulate(distance.values()))
    while True:
        construction = constructions[_index(random, shares)]
        beginnings = tuple(starts(construction).items())
        symbol, label = beginnings[int(random.random() * len(beginnings))]
        words = distances[_index(random, weights)]
        draw = partial(_written, random, words, symbol)
        # Drawn again within its construction until one is of the split, so that shares are the same in both.
        # Rejected draws need no structure.
        leaves, names = next(
            drawn for drawn in iter(draw, None) if split_of(outlined(*drawn, construction)) == split
        )
        yield structured(leaves, names, construction, label)


def _written(random: Random, distance: int, symbol: str) -> tuple[list[Leaf], Scope]:
    writer = _Writer(random, distance)
    names = writer.phrase(symbol, {}, None)
    return writer.leaves, names


def _index(random: Random, totals: Sequence[float]) -> int:
    """Draw an index with the weights whose cumulative sums are `totals`.

    Uses only `random()`, the one method whose numbers Python promises not to change.
    """
    return bisect(totals, random.random() * totals[-1], 0, len(totals) - 1)


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


class _Writer:
    """A writer of one sentence; `leaves` are its words so far."""

    def __init__(self, random: Random, distance: int) -> None:
        self.leaves: list[Leaf] = []
        self._used: set[str] = set()
        self._random = random
        self._distance = distance

    def phrase(self, symbol: str, names: Scope, length: int | None) -> Scope:
        """Write a phrase, of exactly `length` words unless None; return `names` with the new names."""
        totals = GRAMMAR[symbol].totals if length is None else rule_totals(symbol, length)
        rule = _index(self._random, totals)
        end = None if length is None else len(self.leaves) + length
        for i, slot in enumerate(GRAMMAR[symbol].rules[rule].slots):
            if isinstance(slot, Slot):
                self._word(slot, names)
                continue
            words = self._distance - 1 if slot.measured else None
            if end is not None:
                words = _index(self._random, part_totals(symbol, rule, i, end - len(self.leaves)))
            inner = self.phrase(slot.symbol, {"x": names[slot.of]} if slot.of else {}, words)
            if slot.bind:
                names[slot.bind] = inner["x"]
        return names

    def _word(self, slot: Slot, names: Scope) -> None:
        of = names[slot.of] if slot.of else None
        forms: Sequence[Form] = slot.options(None if of is None else self.leaves[of].form)
        if slot.kind in DISTINCT:
            # The result of `fresh`, without a look at every leaf for every word.
            forms = unused(forms, self._used)
        form = forms[int(self._random.random() * len(forms))] if len(forms) > 1 else forms[0]
        if slot.kind in DISTINCT:
            self._used.add(form.lemma)
        if slot.bind:
            names[slot.bind] = len(self.leaves)
        self.leaves.append(Leaf(form, slot.kind, of))
