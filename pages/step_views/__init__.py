"""The parts of the page, in the order of its row of parts; each is given a Scene.

A part draws itself and gives back what writes the program behind it.
"""

from collections.abc import Callable
from typing import NamedTuple

from pages.step_views.bare import without_parameters
from pages.step_views.lookup import soft_lookup
from pages.step_views.one_head import one_head
from pages.step_views.scene import Scene
from pages.step_views.symmetric import q_equals_k


class Part(NamedTuple):
    """The question it answers, what draws it, and whether it is about one of the heads."""

    question: str
    draw: Callable[[Scene], Callable[[], str]]
    has_head: bool = True


PARTS: dict[str, Part] = {
    "one head": Part("How does one head turn words into output?", one_head),
    "soft lookup": Part("Is attention a look-up in a dictionary?", soft_lookup),
    "without parameters": Part(
        "Why have queries, keys and values at all?", without_parameters, has_head=False
    ),
    "Q = K": Part("Do two words look at each other alike?", q_equals_k),
}
