"""The model that is walked through: a small one whose every number fits the screen, or the switches' own."""

from dataclasses import replace

from core.measures.stages import SMALL_SOURCE, small
from pages.contract.form import Form
from pages.controls.parameters import options_of
from pages.controls.real import is_asked_for
from pages.controls.switches import Architecture, architecture
from pages.shell import View

SMALL, FULL = options_of("size")
OF_SMALL = frozenset({"positions", "mask", "scale"})
"""Switches of the small model; it has one layer, two heads, and no norm before it."""

DEFAULTS = {"positions": "alibi"}
"""Positions that add a bias to the scores, so that every stage there can be is there."""


def choose_model(form: Form, view: View) -> Architecture:
    """The size, and below it the switches that a model of this size has.

    Who comes with a real model comes to see that one.
    """
    if view.real and is_asked_for(form.answers):
        form.answers.assume("size", FULL, instead_of=SMALL)
    size = form.choice("size")
    if size == FULL:
        return architecture(form, shown=view.switches, defaults=DEFAULTS, with_real=view.real)
    form.caption("8 dimensions, 2 heads, random weights: every number fits on the screen.")
    seed = form.number("seed")
    switches = architecture(form, shown=OF_SMALL & view.switches, defaults=DEFAULTS)
    return replace(switches, config=small(switches.config), source=SMALL_SOURCE, seed=seed)
