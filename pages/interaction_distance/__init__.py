"""Interaction distance: operations between two words, their cost, and the reach of trained networks."""

from dataclasses import replace

from pages.contract.ask import Ask
from pages.contract.switches import Architecture, architecture
from pages.contract.view import Page, View
from pages.interaction_distance import cost, long_range, networks


def choose(ask: Ask, view: View) -> Architecture:
    """Return the values of the switches; recall has only one Transformer, so it has no switches."""
    is_recall = ask.parameters.spelling(long_range.TASK) == long_range.RECALL
    if view is long_range.long_range and is_recall:
        return architecture(ask, replace(view, switches=frozenset()))
    return architecture(ask, view)


PAGE = Page(
    question="How far must one word travel to reach another?",
    views={"networks": networks.networks, "cost": cost.cost, "long range": long_range.long_range},
    choose=choose,
)
