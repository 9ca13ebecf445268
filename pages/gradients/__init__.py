"""Gradients: how much a word read long ago still matters, and how gradients get back to it."""

from dataclasses import replace

from pages.contract.ask import Ask
from pages.contract.switches import Architecture, architecture
from pages.contract.view import Page, View
from pages.gradients import clipping, distance, gates
from pages.gradients.distance import FOLLOW, SWITCHES


def choose(ask: Ask, view: View) -> Architecture:
    """Return the values of the switches; only switches that change the followed quantity are shown."""
    shown = SWITCHES.get(ask.parameters.spelling(FOLLOW) or "", view.switches)
    return architecture(ask, replace(view, switches=view.switches & shown))


PAGE = Page(
    question="How much does a word from long ago still matter?",
    views={"distance": distance.distance, "gates": gates.gates, "clipping": clipping.clipping},
    choose=choose,
)
