"""The programs about the fixed vector and about alignments print what the pages show."""

import numpy as np
import pytest

from core.measures.translation.scoring import aligned, pair_of
from core.measures.translation.vector import fixed_vector, told
from core.programs.translation import alignments_program, bottleneck_program
from core.sources.probes import load_probe
from core.sources.translators import load_translator
from tests.programs import printed

WORDS = ("the", "key", "that", "the", "gardeners", "sold", "is", "heavy", ".")
TARGET = ("este", "lo", "klavo", "ke", "las", "jardinoras", "ha", "vendit", "gravo", ".")


def test_the_program_prints_the_vector_and_what_is_told_of_each_word() -> None:
    config = pair_of("none")
    first, *lines = printed(bottleneck_program(config, WORDS), alone=False).splitlines()
    ends = fixed_vector(load_translator(config, WORDS))
    np.testing.assert_allclose(
        np.array(first.split()[1:], dtype=float), np.concatenate([ends.hidden, ends.cell]), atol=6e-4
    )
    assert [line.split()[0] for line in lines] == list(WORDS)
    np.testing.assert_allclose(
        [float(line.split()[1]) for line in lines],
        told(load_translator(config, WORDS), load_probe(config)[0]),
        atol=6e-4,
    )


@pytest.mark.parametrize("scores", [("dot", "linear"), ("additive",)])
def test_the_program_prints_what_every_word_attends_to_most(scores: tuple[str, ...]) -> None:
    lines = printed(alignments_program(scores, WORDS, TARGET), alone=False).splitlines()
    assert len(lines) == len(scores) * (1 + len(TARGET))
    for at, score in enumerate(scores):
        name, *rows = lines[at * (1 + len(TARGET)) :][: 1 + len(TARGET)]
        weights = aligned(load_translator(pair_of(score), WORDS), TARGET)
        best = np.abs(weights).argmax(axis=1)
        assert name == score
        assert [row.split()[:2] for row in rows] == [
            [word, WORDS[source]] for word, source in zip(TARGET, best, strict=True)
        ]
        numbers = [float(row.split()[2]) for row in rows]
        np.testing.assert_allclose(numbers, weights[range(len(TARGET)), best], atol=6e-4)
