"""The mask of the page: a preset with its number, and the cells flipped in it, all kept in the link."""

from contextlib import suppress
from typing import TypedDict

from core.measures.masking.painting import MOST_PAINTED, Cell, PaintedMask, spell, unspell
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.sheet import Changes, Link

AMOUNTS = {
    "window": ("radius", "± {}s"),
    "prefix": ("prefix", "Prefix"),
    "padding": ("padded", "Padded"),
}
"""The name in the link, and the label, of words or pieces, of each preset that has a number."""

COMBINED = ("window", "padding")
"""The presets that show the future unless they are combined with the causal mask."""

CELLS = "cells"
"""The parameter of the link that has the flipped cells."""

NARROW = 180

BESIDE, CELL = 240, 16
"""Pixels of what stands beside a matrix, and of a cell that can still be hit."""


def ask_mask(ask: Ask, n: int, *, unit: str) -> PaintedMask:
    """The mask asked for over `n` words, or pieces, as `unit` says."""
    preset = ask.choice("preset", hide_label=True, clears=(CELLS,))
    amount, no_future = 0, False
    if preset in AMOUNTS:
        name, label = AMOUNTS[preset]
        amount = ask.number(name, label=label.format(unit), width=NARROW)
    if preset in COMBINED:
        no_future = ask.switch("causal")
    cells: frozenset[Cell] = frozenset()
    if n <= MOST_PAINTED:
        cells = ask.spelt(CELLS, unspell, default=cells, instead="the mask without painted cells")
        # Always there: a button that comes and goes would move the cells.
        ask.button("Unpaint", {CELLS: None}, is_off=not cells, icon=":material/undo:")
    return PaintedMask(preset=preset, amount=amount, no_future=no_future, cells=cells)


class Fitting(TypedDict):
    """How wide and tall the figure of a mask is, and how wide its cells are at least, in pixels."""

    size: int
    smallest_cell: int
    tallest: float


def fitting(look: Look, n: int, *, above: int) -> Fitting:
    """The sizes for a mask of `n` words with `above` pixels of page above it.

    Of words too many to be painted no cell need be hit.
    """
    cell = CELL if n <= MOST_PAINTED else 0
    size = look.room(at_least=BESIDE + cell * n)
    return {"size": size, "smallest_cell": cell, "tallest": look.tallest(above)}


def flipped_in(link: Link) -> frozenset[Cell]:
    """The cells that a link says are flipped; none where it says something impossible."""
    with suppress(ValueError):
        return unspell(",".join(link.get(CELLS, [])))
    return frozenset()


def flip(cells: frozenset[Cell], link: Link) -> Changes:
    """The change of the link that flips these cells."""
    flipped = flipped_in(link) ^ cells
    return {CELLS: spell(flipped) if flipped else None}
