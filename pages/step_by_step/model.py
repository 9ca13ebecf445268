"""The model that is walked through: heads made by hand, a small random one, or the one of the switches."""

from dataclasses import replace

from core.measures.stages.walk import SMALL_SOURCE, small
from core.sources import BY_HAND_NAME
from core.sources.by_hand import by_hand
from pages.contract.ask import Ask
from pages.contract.parameters import options_of
from pages.contract.real import is_asked_for
from pages.contract.switches import Architecture, architecture
from pages.contract.view import View

BY_HAND, SMALL, FULL = options_of("size")
OF_SMALL = frozenset({"positions", "mask", "scale"})
"""Switches of the small model; it has one layer, two heads, and no norm before it."""

OF_BY_HAND = OF_SMALL - {"positions"}

DEFAULTS = {"positions": "none"}
"""A reader who meets attention for the first time has not met positions yet."""

ABOUT_BY_HAND = (
    "Two heads whose weights are set by hand, so that every number can be read. "
    "Head 1 asks: which noun is my subject? Head 2: which words describe me?"
)
ABOUT_SMALL = (
    "8 dimensions, 2 heads, random weights: every number of a short sentence fits on the screen, but nothing "
    "was learned."
)


def choose_model(ask: Ask, view: View) -> Architecture:
    """Ask for the size, and below it for the switches that a model of this size has.

    A view whose defaults begin with another size than the first does not offer heads made by hand. A link to
    a real model opens the full one, and a link with positions or a seed the small one.
    """
    defaults = DEFAULTS | dict(view.defaults)
    first = defaults.pop("size", BY_HAND)
    sizes = (BY_HAND, SMALL, FULL) if first == BY_HAND else (SMALL, FULL)
    if view.real and is_asked_for(ask.parameters):
        ask.parameters.assume("size", FULL)
    elif first == BY_HAND and any(
        ask.parameters.spelling(name) is not None for name in ("positions", "seed")
    ):
        ask.parameters.assume("size", SMALL)
    size = ask.choice("size", options=sizes, default=first)
    if size == FULL:
        return architecture(ask, replace(view, defaults=defaults))
    if size == BY_HAND:
        ask.caption(ABOUT_BY_HAND)
        switches = architecture(ask, replace(view, switches=OF_BY_HAND & view.switches, defaults=defaults))
        return replace(switches, config=by_hand(switches.config), source=BY_HAND_NAME)
    ask.caption(ABOUT_SMALL)
    seed = ask.number("seed")
    switches = architecture(ask, replace(view, switches=OF_SMALL & view.switches, defaults=defaults))
    return replace(switches, config=small(switches.config), source=SMALL_SOURCE, seed=seed)
