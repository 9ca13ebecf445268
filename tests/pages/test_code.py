"""The program under a page is about what is on the screen, and is written only for who opens it."""

import numpy as np

from tests.pages.session import Session, computed, gaps
from tests.programs import printed_matrix

TEXT = "the oven cooked the bread so"


def test_the_explorers_program_prints_the_head_on_the_screen() -> None:
    session = Session(
        text=TEXT, view="matrix", model="random", seed=3, heads=2, layer=2, head=2, window=2, code=True
    )

    shown = gaps(computed(TEXT, seed=3, n_heads=2, window=2), 1, 1)
    rows = printed_matrix(session.app.code[0].value, 6)
    np.testing.assert_allclose(rows, np.nan_to_num(shown), atol=6e-4)


def test_no_program_is_written_while_it_is_shut() -> None:
    assert len(Session(text=TEXT).app.code) == 0
