"""The programs of the page Heads print what it shows."""

import numpy as np
import pytest

from core.measures.distance import costs
from core.measures.heads import ranks, two_things
from core.model.config import ModelConfig
from core.programs import Subject
from core.programs.heads import fetching_program, kinds_program, rank_program
from tests.programs import printed, printed_matrix

WORDS = ("the", "oven", "cooked", '"""', "the", "bread", "茶")


def test_the_program_of_the_kinds_prints_weights_and_operations() -> None:
    lines = printed(kinds_program(d_model=48, n_heads=8, n_words=7)).splitlines()
    assert lines == [
        f"{kind} {costs.head_parameters(kind, d_model=48, n_heads=8)}"
        f" {costs.head_operations(kind, 7, d_model=48, n_heads=8)}"
        for kind in costs.HEAD_KINDS
    ]


def test_the_program_of_the_task_loses_what_the_page_says_and_looks_where_it_looks() -> None:
    lines = iter(printed(fetching_program()).splitlines())
    for n_heads in (1, 2):
        learned = two_things.learn(n_heads)
        assert float(next(lines).split()[-1]) == pytest.approx(learned.lost[-1], abs=5e-3)
        for row in learned.pattern:
            shown = [float(part) for part in next(lines).split()[1::2]]
            np.testing.assert_allclose(shown, row, atol=2e-2)


@pytest.mark.parametrize(("of_sentence", "source"), [(False, "trained"), (True, "random")])
def test_the_program_of_the_ranks_prints_all_singular_values(of_sentence: bool, source: str) -> None:
    config = ModelConfig(vocab_size=1, n_heads=8)
    subject = Subject(words=WORDS, config=config, source=source, layer=1)
    of = ranks.sentence_values if of_sentence else ranks.weight_values
    expected = of(subject.loaded, layer=1)
    rows = printed_matrix(rank_program(subject, of_sentence=of_sentence), len(expected[0]))
    np.testing.assert_allclose(rows.clip(min=ranks.FLOOR), expected, rtol=1e-2, atol=2e-6)
