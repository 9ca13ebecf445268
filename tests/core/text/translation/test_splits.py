"""No pair of nouns is in both training and test, and the distance of a test from training is known."""

from functools import cache
from itertools import islice

from core.text import language
from core.text.language import Sentence, parse
from core.text.translation import SPLITS, Split, pairs, sentences, split_of, with_a_neighbour
from core.text.translation.splits import kept_for
from tests.core.text.language.samples import every
from tests.covering import each


@cache
def sample(split: Split) -> tuple[Sentence, ...]:
    return tuple(islice(sentences(0, split=split), 300))


def read(text: str) -> Sentence:
    return parse(text.split())


@each("split", SPLITS)
def test_sentences_of_a_split_are_of_it_and_the_same_each_time(split: Split) -> None:
    assert {split_of(sentence) for sentence in sample(split)} == {split}
    assert tuple(islice(sentences(0, split=split), 20)) == sample(split)[:20]
    assert tuple(islice(sentences(1, split=split), 20)) != sample(split)[:20]


def test_no_pair_of_nouns_that_is_tested_or_validated_with_is_ever_learned_from() -> None:
    met = {split: {pair for each in sample(split) for pair in pairs(each)} for split in SPLITS}
    for_validation = {pair for pair in met["validation"] if kept_for(pair) == "validation"}
    for_test = {pair for pair in met["test"] if kept_for(pair) == "test"}
    assert min(len(for_validation), len(for_test)) > 25
    assert not met["train"] & (for_validation | for_test)
    assert not met["validation"] & for_test


def test_held_out_sentences_of_the_language_are_held_out_here() -> None:
    tested = [sentence for sentence in every() if language.split_of(sentence) == "test"]
    drawn = islice(language.sentences(3, split="test"), 50)
    assert {split_of(sentence) for sentence in (*tested, *drawn)} == {"test"}


def test_pairs_are_of_lemmas_mentioned_one_after_the_other_in_either_order() -> None:
    sentence = read("the oven cooked the eggs so the oven was cold .")
    assert pairs(sentence) == (("egg/eggs", "oven/ovens"),) * 2
    assert pairs(read("i did not hate the film .")) == ()
    assert pairs(read("omar met anna near the store and omar thanked anna .")) == (
        ("anna", "omar"),
        ("anna", "store/stores"),
        ("omar", "store/stores"),
        ("anna", "omar"),
    )


def test_a_neighbour_has_one_other_word_in_the_same_place_or_none() -> None:
    learned = [read("the chef cooked the soup ."), read("the cat sleeps in the garden .")]
    tested = [
        "the baker cooked the soup .",
        "the chef cooked the rice .",
        "the chef cooked the soup .",
        "the baker cooked the rice .",
        "the cat sleeps .",
        "the cats sleep in the garden .",
    ]
    expected = [True, True, True, False, False, False]
    assert with_a_neighbour([read(text) for text in tested], learned) == expected
    assert with_a_neighbour([], learned) == []
    assert with_a_neighbour([learned[0]], []) == [False]
    shifted = (Sentence(words=words, construction="none") for words in (("a", "b"), ("b", "c")))
    assert with_a_neighbour([next(shifted)], shifted) == [False]
