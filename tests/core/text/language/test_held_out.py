"""Pairs of nouns that are never brought together in training as agent and patient."""

from core.text.language import parse
from core.text.language.held_out import is_held_out
from tests.covering import each


@each(
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
