"""The program of interaction distance counts along the arrows what `costs` says in closed form."""

from collections.abc import Iterable

import numpy as np

from core.measures.distance import costs
from core.model.masks import MASKS
from core.programs import distance_program
from tests.covering import each
from tests.programs import printed

WORDS = ("Zuko", "made", "his", "uncle's", "tea")


def rows(counts: Iterable[Iterable[float]], network: str) -> list[str]:
    return [f"{network} {row} {' '.join(map(_spelt, states))}" for row, states in enumerate(counts)]


def _spelt(count: float) -> str:
    return "inf" if count == costs.UNREACHED else str(count)


@each("mask", MASKS)
@each("backwards", [False, True])
@each(("origin", "n_layers"), [(4, 1), (1, 3), (2, 2)])
def test_distances_are_those_of_the_page(origin: int, n_layers: int, backwards: bool, mask: str) -> None:
    program = distance_program(WORDS, origin=origin, n_layers=n_layers, mask=mask, backwards=backwards)

    allowed = MASKS[mask].allowed(5)[0, 0].numpy()
    recurrent = costs.recurrent_interaction_distances(
        5, origin, n_layers, backwards=backwards, allowed=allowed
    )
    attention = costs.attention_interaction_distances(5, origin, n_layers, allowed=allowed)
    assert printed(program).splitlines() == [*rows(recurrent, "recurrent"), *rows(attention, "attention")]


def test_the_longest_sentence_is_counted_too() -> None:
    words = [f"w{i}" for i in range(256)]

    last = printed(distance_program(words, origin=0, n_layers=1, mask="bidirectional")).splitlines()[1]

    assert last.split()[2:] == [str(steps) for steps in np.arange(256) + 1]
