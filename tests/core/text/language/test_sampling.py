"""Samples depend on the seed, have the kinds and lengths asked for, and are never in both splits."""

import random
from collections import Counter
from hashlib import blake2b
from itertools import islice

import pytest

from core.text.language import SHARES, SPLITS, Sentence, parse, sentences, split_of
from core.text.language.grammar import GRAMMAR
from core.text.language.held_out import is_held_out
from core.text.language.sampling import rule_totals
from tests.covering import each


def texts(seed: int, n: int, **options: object) -> list[str]:
    return [" ".join(sentence.words) for sentence in islice(sentences(seed, **options), n)]  # type: ignore[arg-type]


def main_distance(sentence: Sentence) -> int:
    main = sentence.agreements[-1]
    return main.verb - main.subject


def test_of_many_sentences_neither_one_nor_its_structure_ever_changes() -> None:
    state = random.getstate()
    assert digest(*islice(sentences(0), 2000)) == "b894e56a269a2a46"
    assert digest(*islice(sentences(0, split="test"), 200)) == "aa7259c99c7fb149"
    assert random.getstate() == state, "the generator that all share is left alone"


def digest(*drawn: Sentence) -> str:
    return blake2b("\n".join(map(repr, drawn)).encode(), digest_size=8).hexdigest()


def test_the_split_of_a_sentence_follows_from_its_words() -> None:
    for split in SPLITS:
        assert {split_of(sentence) for sentence in islice(sentences(9, split=split), 100)} == {split}
    for told, split in (("the oven cooked the bread", "test"), ("the oven cooked the pie", "train")):
        assert split_of(parse(f"{told} so the {told.split()[-1]} was warm .".split())) == split


def test_only_the_constructions_asked_for_come_in_any_order_and_keep_their_proportions() -> None:
    asked = ["name", "agreement"]
    counts = Counter(sentence.construction for sentence in islice(sentences(2, constructions=asked), 1000))
    assert set(counts) == set(asked)
    assert abs(counts["agreement"] / counts["name"] - SHARES["agreement"] / SHARES["name"]) < 0.4
    assert texts(2, 20, constructions=asked) == texts(2, 20, constructions=asked[::-1])


@each("distance", [1, 2, 11, 60])
def test_subject_and_verb_are_exactly_as_far_apart_as_asked(distance: int) -> None:
    for sentence in islice(sentences(4, constructions=["agreement"], distance={distance: 1}), 3):
        assert main_distance(sentence) == distance, " ".join(sentence.words)


def test_distances_come_with_the_weights_asked_for() -> None:
    drawn = islice(sentences(6, constructions=["agreement"], distance={3: 1, 40: 2, 55: 1}), 500)
    counts = Counter(main_distance(sentence) for sentence in drawn)
    assert set(counts) == {3, 40, 55}
    assert abs(counts[40] / 500 - 0.5) < 0.05
    assert abs(counts[3] / 500 - 0.25) < 0.05


@each(
    ("told", "held_out"),
    [
        ("the oven cooked the bread", True),
        ("the bread cooked the oven", True),
        ("the ovens cooked the bread", True),
        ("the oven cooked the cakes", True),
        ("the oven cooked the stove", False),
        ("the oven cooked the pie", False),
    ],
)
def test_neighbours_in_a_list_are_held_out_in_either_order_and_number(told: str, held_out: bool) -> None:
    agent = told.split()[1]
    state = "were empty" if agent.endswith("s") else "was empty"
    assert is_held_out(parse(f"{told} so the {agent} {state} .".split())) == held_out


def test_short_phrases_are_as_likely_as_their_weights_say() -> None:
    def likelihood(symbol: str, length: int) -> float:
        return rule_totals(symbol, length)[-1] / GRAMMAR[symbol].totals[-1]

    # "": 3; upstairs: 1; at home: 1 and who smiles: 1; of 23
    assert [likelihood("who", length) for length in range(3)] == pytest.approx([3 / 23, 1 / 23, 2 / 23])
    # near_table is always three words, and of what follows a thing nothing else is: 4 of 17
    assert likelihood("near_table", 3) == 1
    assert likelihood("that", 3) == pytest.approx(4 / 17)
