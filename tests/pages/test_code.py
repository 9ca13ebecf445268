"""The program under a page is about what is on the screen, and is written only for who opens it."""

import numpy as np

from core.learning.training import Recipe
from core.live import Plan
from core.model.config import ModelConfig
from core.programs import training_program
from tests.pages.asked import Asked
from tests.pages.session import Session, computed, gaps
from tests.programs import printed, printed_matrix

TEXT = "the oven cooked the bread so"


def test_the_explorers_program_prints_the_head_on_the_screen() -> None:
    session = Asked(
        text=TEXT, view="matrix", model="random", seed=3, heads=2, layer=2, head=2, window=2, code=True
    )

    shown = gaps(computed(TEXT, seed=3, n_heads=2, window=2), 1, 1)
    rows = printed_matrix(session.code, 6)
    np.testing.assert_allclose(rows, np.nan_to_num(shown), atol=6e-4)


def test_no_program_is_written_while_it_is_shut() -> None:
    assert len(Session(text=TEXT).app.code) == 0


def test_interaction_distances_program_counts_what_stands_in_the_boxes() -> None:
    chosen = {"count": "serial operations", "layers": 2, "mask": "causal"}
    session = Asked("interaction-distance", text="a b c", **chosen)
    assert printed(session.code).splitlines()[2] == "recurrent 2 2 3 4"

    session.set(count="distance from a word")
    session.set(from_=2)
    assert printed(session.code).splitlines()[1] == "recurrent 1 inf 1 2"


def test_order_invariances_program_prints_the_rows_of_the_chosen_word() -> None:
    chosen = {"positions": "learned", "heads": 2, "layers": 2, "head": 2, "word": 2}
    session = Asked("order-invariance", **chosen)

    rows = printed_matrix(session.code, 6)
    np.testing.assert_allclose(rows, session.matrix("orders"), atol=6e-4)


def test_trainings_program_is_that_of_the_plan_and_the_head_looked_at() -> None:
    chosen = {"steps": 2, "batch": 4, "rate": "0.02", "seed": 3, "heads": 2, "layer": 2, "head": 1}
    session = Session("training", code=True, **chosen)

    plan = Plan(
        architecture=ModelConfig(vocab_size=1, n_heads=2),
        task_name="next word",
        recipe=Recipe(steps=2, batch_size=4, learning_rate=0.02, seed=3, warm_up=1),
    )
    assert session.app.code[0].value == training_program(plan, layer=1, head=0, last=0).rstrip()
    assert "it prints the loss of every step, and the attention after step 0." in session.prose
