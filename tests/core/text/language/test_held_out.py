"""Pairs of nouns that are never brought together in training as agent and patient."""

from itertools import islice

import pytest

from core.text.language import parse, sentences
from core.text.language.held_out import held_out_pairs, is_held_out


@pytest.mark.parametrize(
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


def test_every_noun_is_in_few_of_the_held_out_pairs() -> None:
    found = held_out_pairs()
    assert all(len(pair) == 2 for pair in found)
    nouns = frozenset().union(*found)
    for noun in nouns:
        partners = [pair for pair in found if noun in pair]
        assert 1 <= len(partners) <= 3, noun
    assert len(found) < len(nouns) * (len(nouns) - 1) / 20


def test_no_sentence_of_training_brings_a_held_out_pair_together() -> None:
    for split, expected in (("train", False), ("test", True)):
        drawn = islice(sentences(11, split=split, constructions=["consequence"]), 400)  # type: ignore[arg-type]
        assert {is_held_out(sentence) for sentence in drawn} == {expected}


def test_training_meets_every_noun_of_a_held_out_pair_with_others() -> None:
    met: set[str] = set()
    for sentence in islice(sentences(0, constructions=["consequence"]), 1500):
        assert sentence.roles is not None
        met |= {sentence.words[sentence.roles.agent], sentence.words[sentence.roles.patient]}
    singular = {noun.split("/")[0] for pair in held_out_pairs() for noun in pair}
    assert singular <= met
