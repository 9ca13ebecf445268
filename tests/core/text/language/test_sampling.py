"""Samples depend on the seed, have the kinds and lengths asked for, and are never in both splits."""

import random
from collections import Counter
from hashlib import blake2b
from itertools import islice

import pytest

from core.text.language import (
    SHARES,
    SPLITS,
    Agreement,
    Sentence,
    parse,
    sentences,
    split_of,
)
from core.text.tokenizer import MAX_WORDS
from tests.covering import each


def texts(seed: int, n: int, **options: object) -> list[str]:
    return [" ".join(sentence.words) for sentence in islice(sentences(seed, **options), n)]  # type: ignore[arg-type]


def main_agreement(sentence: Sentence) -> Agreement:
    return max(sentence.agreements, key=lambda agreement: agreement.verb)


def test_of_many_sentences_neither_one_nor_its_structure_ever_changes() -> None:
    state = random.getstate()
    assert digest(*islice(sentences(0), 2000)) == "25721c59d3ca3db1"
    assert digest(*islice(sentences(0, split="test"), 200)) == "737e4b3e374da178"
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


@each("distance", [1, 2, 3, 5, 7, 11, 48, 60, MAX_WORDS])
def test_subject_and_verb_are_exactly_as_far_apart_as_asked(distance: int) -> None:
    for sentence in islice(sentences(4, constructions=["agreement"], distance={distance: 1}), 7):
        assert main_agreement(sentence).distance == distance, " ".join(sentence.words)


def test_distances_come_with_the_weights_asked_for() -> None:
    drawn = islice(sentences(6, constructions=["agreement"], distance={3: 1, 40: 2, 55: 1}), 500)
    counts = Counter(main_agreement(sentence).distance for sentence in drawn)
    assert set(counts) == {3, 40, 55}
    assert abs(counts[40] / 500 - 0.5) < 0.05
    assert abs(counts[3] / 500 - 0.25) < 0.05


@each(
    ("options", "complaint"),
    [
        ({"split": "dev"}, "split must be one of train, test, got 'dev'"),
        (
            {"constructions": ["poem", "name"]},
            r"constructions must be some of agreement, .*, got \['poem', 'name'\]",
        ),
        ({"constructions": []}, r"constructions must be some of agreement, .*, got \[\]"),
        ({"constructions": "name"}, "constructions must be some of agreement, .*, got 'name'"),
        ({"distance": {0: 1}}, r"distance must weigh whole numbers of words, 1 to 256, got \{0: 1\}"),
        ({"distance": {3: 1, 257: 1}}, "distance must weigh whole numbers of words, 1 to 256"),
        ({"distance": {2.5: 1}}, "distance must weigh whole numbers"),
        ({"distance": {2: -1, 3: 2}}, r"weights of distance must be finite, .*, got \{2: -1, 3: 2\}"),
        ({"distance": {2: float("inf")}}, "weights of distance must be finite"),
        ({"distance": {2: float("nan"), 3: 1}}, "weights of distance must be finite"),
        ({"distance": {2: 0}}, "weights of distance must be .* not all 0"),
        ({"distance": {}}, "weights of distance must be .* not all 0"),
    ],
)
def test_impossible_samples_are_refused_at_once(options: dict[str, object], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        sentences(0, **options)  # type: ignore[arg-type]
