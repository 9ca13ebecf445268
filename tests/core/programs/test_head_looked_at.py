"""Programs are about the layer, head, query and key that are looked at: no two are alike here."""

import re
from collections.abc import Callable, Iterable

import numpy as np
import pytest

from core.measures import scaling
from core.measures.blocks.one_position import output_changes
from core.measures.heads import ranks
from core.measures.positions.rotary import meeting
from core.measures.reading import read
from core.measures.stages import asymmetry, look_up, symmetry, walk
from core.model.config import ModelConfig
from core.programs import Subject
from core.programs.forward import attention_program
from core.programs.heads import rank_program, reshape_program
from core.programs.one_position import one_position_program
from core.programs.positions import rotary_program, weights_program
from core.programs.scaling import heads_program
from core.programs.steps import lookup_program, symmetry_program
from core.sources import load
from tests.programs import printed

WORDS = ("the", "oven", "cooked", "the", "bread", "so", "was")
CONFIG = ModelConfig(vocab_size=1, positions="rotary", mask="bidirectional")
QUERY, KEY, WORD, TEMPERATURE = 5, 1, 4, 0.5
LOOKED_AT = [(0, 3), (1, 2)]
NUMBER = re.compile(r"(?<!\S)-?\d\S*")


def numbers(program: str, of_each: list[int]) -> list[list[float]]:
    """The numbers at the end of every line, so many of each."""
    lines = zip(printed(program).splitlines(), of_each, strict=True)
    return [[float(part) for part in NUMBER.findall(line)[-wanted:]] for line, wanted in lines]


def subject(layer: int, head: int) -> Subject:
    return Subject(words=WORDS, config=CONFIG, source="trained", layer=layer, head=head)


def weights(layer: int, head: int) -> np.ndarray:
    return read(load("trained", CONFIG, WORDS, 0)).pattern(layer, head)


def mean_weights(layer: int, head: int) -> np.ndarray:
    return read(load("trained", CONFIG, WORDS, 0)).patterns()[layer].mean(axis=0)


def meetings(layer: int, head: int) -> np.ndarray:
    reading = read(load("trained", CONFIG, WORDS, 0))
    return meeting(reading, layer, head, QUERY, KEY).scores(11)


def looked_up(layer: int, head: int) -> list[np.ndarray]:
    found = walk(load("trained", CONFIG, WORDS, 0), layer=layer, head=head)
    lookup = look_up(found.scores[WORD], found.v, found.allowed[WORD], temperature=TEMPERATURE)
    return [*lookup.weights[:, None], lookup.output]


def symmetries(layer: int, head: int) -> list[list[float]]:
    found = walk(load("trained", CONFIG, WORDS, 0), layer=layer, head=head)
    both = symmetry(found.q, found.k, scale=found.scale)
    return [[asymmetry(one)] for one in (both.scores, both.tied_scores, both.tied_pattern)]


def values(layer: int, head: int) -> list[np.ndarray]:
    return ranks.weight_values(load("trained", CONFIG, WORDS, 0), layer=layer)


def keys_of_all_heads(layer: int, head: int) -> np.ndarray:
    return np.concatenate(list(read(load("trained", CONFIG, WORDS, 0)).vectors(layer, "k")), axis=1)


def changes(layer: int, head: int) -> np.ndarray:
    found = output_changes(load("trained", CONFIG, WORDS, 0), layer=layer, position=WORD)
    return np.stack([found.feed_forward, found.attention], axis=1)


def divisions(layer: int, head: int) -> np.ndarray:
    return scaling.head_rows(read(load("trained", CONFIG, WORDS, 0)), layer, head, WORD).T


PROGRAMS: dict[
    str, tuple[Callable[[Subject], str], Callable[[int, int], Iterable[Iterable[float]]], float]
] = {
    "weights": (attention_program, weights, 6e-4),
    "weights with positions": (lambda one: weights_program(one, mean=False), weights, 6e-4),
    "mean weights": (lambda one: weights_program(one, mean=True), mean_weights, 6e-4),
    "rotary": (lambda one: rotary_program(one, QUERY, KEY, 11), meetings, 2e-3),
    "look-up": (lambda one: lookup_program(one, WORD, TEMPERATURE), looked_up, 2e-3),
    "symmetry": (symmetry_program, symmetries, 2e-3),
    "rank": (lambda one: rank_program(one, of_sentence=False), values, 2e-3),
    "reshape": (lambda one: reshape_program(one, "k"), keys_of_all_heads, 2e-3),
    "one position": (lambda one: one_position_program(one, WORD), changes, 2e-3),
    "division": (lambda one: heads_program(one, WORD), divisions, 2e-3),
}
"""A program about a subject, what core computes for its layer and head, and how exactly it is printed."""


@pytest.mark.parametrize(("layer", "head"), LOOKED_AT)
@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_printed_is_of_the_layer_and_head_looked_at(name: str, layer: int, head: int) -> None:
    program, computed, tolerance = PROGRAMS[name]
    expected = [list(row) for row in computed(layer, head)]
    rows = numbers(program(subject(layer, head)), [len(row) for row in expected])
    for row, own in zip(rows, expected, strict=True):
        np.testing.assert_allclose(row, own, atol=tolerance)


def test_these_layers_and_heads_are_different_enough_to_be_mixed_up() -> None:
    for name, (_, computed, tolerance) in PROGRAMS.items():
        first, other = (np.concatenate([list(row) for row in computed(*place)]) for place in LOOKED_AT)
        assert np.abs(first - other).max() > 4 * tolerance, name
