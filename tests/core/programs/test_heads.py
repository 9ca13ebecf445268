"""The programs of the page Heads print what it shows."""

import numpy as np
import pytest

from core.measures.heads import several as two_things
from core.programs.heads import fetching_program
from tests.programs import printed


def test_the_program_of_the_task_loses_what_the_page_says_and_looks_where_it_looks() -> None:
    lines = iter(printed(fetching_program()).splitlines())
    for n_heads in (1, 2):
        learned = two_things.learn(n_heads)
        assert float(next(lines).split()[-1]) == pytest.approx(learned.lost[-1], abs=5e-3)
        for row in learned.pattern:
            shown = [float(part) for part in next(lines).split()[1::2]]
            np.testing.assert_allclose(shown, row, atol=2e-2)
