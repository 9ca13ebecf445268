"""What is drawn: the same for a seed, of the kinds and lengths asked for, never in both splits."""

import random
from collections import Counter
from hashlib import blake2b
from itertools import islice, product

import pytest

from core.text.language import (
    CONSTRUCTIONS,
    DISTANCES,
    SHARES,
    SPLITS,
    TEST_SHARE,
    Agreement,
    Sentence,
    Split,
    parse,
    sentences,
    split_of,
)
from core.text.language.lexicon import FEMININE_NAMES, MASCULINE_NAMES
from core.text.tokenizer import MAX_WORDS


def texts(seed: int, n: int, **options: object) -> list[str]:
    return [" ".join(sentence.words) for sentence in islice(sentences(seed, **options), n)]  # type: ignore[arg-type]


def main_agreement(sentence: Sentence) -> Agreement:
    return max(sentence.agreements, key=lambda agreement: agreement.verb)


def test_the_sentences_of_a_seed_never_change() -> None:
    assert texts(0, 7) == [
        "the woman sent her daughter a bag .",
        "the princess blamed the man so he was sorry .",
        "when anna and maria returned to the lakes , maria offered a ring to anna .",
        "the driver poured the gardener tea .",
        "i hated the dinner .",
        "the teacher paid the singers because the teacher was honest .",
        "near the villages , the old bag that the painters who love the lake and keep the baskets found was "
        "expensive .",
    ]


def test_of_many_sentences_neither_one_nor_its_structure_ever_changes() -> None:
    assert digest(*islice(sentences(0), 2000)) == "25721c59d3ca3db1"
    assert digest(*islice(sentences(0, split="test"), 200)) == "737e4b3e374da178"


def digest(*drawn: Sentence) -> str:
    return blake2b("\n".join(map(repr, drawn)).encode(), digest_size=8).hexdigest()


def test_a_seed_gives_its_sentences_again_and_another_seed_gives_others() -> None:
    assert texts(3, 200) == texts(3, 200)
    assert len({*texts(3, 200)} & {*texts(4, 200)}) < 20


def test_drawing_leaves_the_shared_generator_alone() -> None:
    state = random.getstate()
    texts(3, 100)
    assert random.getstate() == state


def test_no_sentence_is_in_both_splits_whatever_the_seeds() -> None:
    seen = {split: {text for seed in range(4) for text in texts(seed, 200, split=split)} for split in SPLITS}
    assert seen["train"] & seen["test"] == set()
    assert min(len(each) for each in seen.values()) > 500


def test_the_split_of_a_sentence_follows_from_its_words() -> None:
    for split in SPLITS:
        assert {split_of(sentence) for sentence in islice(sentences(9, split=split), 500)} == {split}
    assert split_of(parse(["zuko", "made", "his", "uncle", "tea", "."])) == "train"
    for told, split in (("the oven cooked the bread", "test"), ("the oven cooked the pie", "train")):
        assert split_of(parse(f"{told} so the {told.split()[-1]} was warm .".split())) == split


def test_one_sentence_in_ten_is_for_testing() -> None:
    lists = (
        MASCULINE_NAMES,
        "told reminded assured",
        FEMININE_NAMES,
        "he she",
        "late right lucky tired ready",
    )
    splits = Counter(
        split_of(parse([he, told, she, "that", one, "was", late, "."]))
        for he, told, she, one, late in product(*map(str.split, lists))
    )
    assert TEST_SHARE == 10
    assert splits.total() == 8 * 3 * 8 * 2 * 5
    assert 0.08 < splits["test"] / splits.total() < 0.12


def test_training_is_the_default_and_the_only_difference_between_splits_is_the_split() -> None:
    assert texts(5, 100) == texts(5, 100, split="train")
    lengths = [sum(len(text.split()) for text in texts(5, 700, split=split)) / 700 for split in SPLITS]
    assert abs(lengths[0] - lengths[1]) < 0.5


@pytest.mark.parametrize("split", SPLITS)
def test_constructions_come_in_their_shares_for_training_and_for_testing(split: Split) -> None:
    counts = Counter(sentence.construction for sentence in islice(sentences(2, split=split), 2_000))
    assert sum(SHARES.values()) == 100
    assert set(counts) == set(CONSTRUCTIONS) == set(SHARES)
    for construction, share in SHARES.items():
        assert abs(counts[construction] / 20 - share) < 2, construction


def test_only_the_constructions_asked_for_come_in_any_order_and_keep_their_proportions() -> None:
    asked = ["name", "agreement"]
    counts = Counter(sentence.construction for sentence in islice(sentences(2, constructions=asked), 5000))
    assert set(counts) == set(asked)
    assert abs(counts["agreement"] / counts["name"] - SHARES["agreement"] / SHARES["name"]) < 0.2
    assert texts(2, 20, constructions=asked) == texts(2, 20, constructions=asked[::-1])


@pytest.mark.parametrize("distance", [*range(1, 61), 120, MAX_WORDS])
def test_subject_and_verb_are_exactly_as_far_apart_as_asked(distance: int) -> None:
    for sentence in islice(sentences(4, constructions=["agreement"], distance={distance: 1}), 7):
        assert main_agreement(sentence).distance == distance, " ".join(sentence.words)


def test_distances_come_with_the_weights_asked_for() -> None:
    drawn = islice(sentences(6, constructions=["agreement"], distance={3: 1, 40: 2, 55: 1}), 1500)
    counts = Counter(main_agreement(sentence).distance for sentence in drawn)
    assert set(counts) == {3, 40, 55}
    assert abs(counts[40] / 1500 - 0.5) < 0.03
    assert abs(counts[3] / 1500 - 0.25) < 0.03


def test_distances_halve_their_share_as_they_double_up_to_forty_eight_words() -> None:
    drawn = islice(sentences(6, constructions=["agreement"]), 5000)
    counts = Counter(main_agreement(sentence).distance for sentence in drawn)
    assert set(DISTANCES) == set(range(1, 49))
    nearer, middle, farther = (sum(DISTANCES[d] for d in range(n, 2 * n)) for n in (4, 8, 16))
    assert 0.95 * nearer < middle < nearer
    assert 0.95 * middle < farther < middle
    assert sum(counts[distance] for distance in range(40, 49)) > 125
    for distance in (2, 3, 4, 8):
        assert abs(counts[1] / counts[distance] - distance) < 0.25 * distance, distance


def test_long_distances_have_attractors_and_short_ones_of_both_numbers() -> None:
    far = list(islice(sentences(8, constructions=["agreement"], distance={40: 1}), 300))
    assert sum(main_agreement(sentence).attractors > 0 for sentence in far) > 290
    numbers = Counter(
        main_agreement(sentence).number
        for sentence in islice(sentences(8, constructions=["agreement"]), 2000)
    )
    assert abs(numbers["singular"] - numbers["plural"]) < 200


@pytest.mark.parametrize(
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
def test_what_cannot_be_drawn_is_refused_at_once(options: dict[str, object], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        sentences(0, **options)  # type: ignore[arg-type]
