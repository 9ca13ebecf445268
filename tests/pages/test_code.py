"""The program under a page is about what is on the screen, and is written only for who opens it."""

from core.learning.training import Recipe
from core.live import Plan
from core.model.config import ModelConfig
from pages.training.watching import bare_loop
from tests.pages.session import Session

TEXT = "the oven cooked the bread so"


def test_no_program_is_written_while_it_is_shut() -> None:
    assert len(Session(text=TEXT).app.code) == 0


def test_trainings_program_is_that_of_the_plan_and_the_head_looked_at() -> None:
    chosen = {"steps": 2, "batch": 4, "rate": "0.02", "seed": 3, "heads": 2, "layer": 2, "head": 1}
    session = Session("training", code=True, **chosen)

    plan = Plan(
        architecture=ModelConfig(vocab_size=1, n_heads=2),
        task_name="next word",
        recipe=Recipe(steps=2, batch_size=4, learning_rate=0.02, seed=3, warm_up=1),
    )
    assert session.app.code[0].value == bare_loop(plan, layer=1, head=0, last=0).rstrip()
    assert "it prints the loss of every step, and the attention after step 0." in session.prose
