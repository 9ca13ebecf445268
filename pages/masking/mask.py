"""The mask of the page: a preset with its number, and the cells flipped in it, all kept in the link."""

from contextlib import suppress
from typing import TypedDict

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.measures.masking.painting import MOST_PAINTED, Cell, PaintedMask, spell, unspell
from pages.controls.link import choice, number, switch
from pages.controls.notes import complain, repeat
from pages.controls.prose import Typed
from pages.controls.screen import room, tallest

AMOUNTS = {
    "window": ("radius", "± {}s"),
    "prefix": ("prefix", "Prefix"),
    "padding": ("padded", "Padded"),
}
"""For each preset that has a number: its name in the link, and its label, of words or pieces."""

COMBINED = ("window", "padding")
"""The presets that show the future unless they are combined with the causal mask."""

CELLS = "cells"
"""The parameter of the link that has the flipped cells."""

NARROW = 180

BESIDE, CELL = 300, 16
"""Pixels of what stands beside a matrix, and of a cell that can still be hit."""


def choose_mask(row: DeltaGenerator, n: int, notes: DeltaGenerator, *, unit: str) -> PaintedMask:
    """The mask that the controls in `row` and the link describe for `n` words, or pieces, as `unit` says."""
    with row:
        preset = choice("preset", notes=notes, hide_label=True, on_change=clear_cells)
        amount, no_future = 0, False
        if preset in AMOUNTS:
            name, label = AMOUNTS[preset]
            amount = number(name, label=label.format(unit), notes=notes, width=NARROW)
        if preset in COMBINED:
            no_future = switch("causal", notes=notes)
        cells: frozenset[Cell] = _cells(notes) if n <= MOST_PAINTED else frozenset()
        if n <= MOST_PAINTED:  # always there: a button that comes and goes would move the cells
            st.button("Unpaint", disabled=not cells, on_click=clear_cells, icon=":material/undo:")
    return PaintedMask(preset=preset, amount=amount, no_future=no_future, cells=cells)


class Fitting(TypedDict):
    """How wide and tall the figure of a mask is, and how wide its cells are at least, in pixels."""

    size: int
    smallest_cell: int
    tallest: float


def fitting(n: int, *, above: int) -> Fitting:
    """The sizes for a mask of `n` words with `above` pixels of page above it.

    Of words too many to be painted no cell need be hit.
    """
    cell = CELL if n <= MOST_PAINTED else 0
    return {"size": room(at_least=BESIDE + cell * n), "smallest_cell": cell, "tallest": tallest(above)}


def flip_cell(query: int, key: int) -> None:
    """Flip a cell, counted from 0, in the link: the page then shows it."""
    _put(flipped_cells() ^ {(query, key)})


def flipped_cells() -> frozenset[Cell]:
    """The cells that the link says are flipped; none where it says something impossible."""
    with suppress(ValueError):
        return unspell(st.query_params.get(CELLS, ""))
    return frozenset()


def clear_cells() -> None:
    """Take back every flipped cell."""
    _put(frozenset())


def _put(cells: frozenset[Cell]) -> None:
    if cells:
        st.query_params[CELLS] = spell(cells)
    elif CELLS in st.query_params:
        del st.query_params[CELLS]


def _cells(notes: DeltaGenerator) -> frozenset[Cell]:
    """What the link says; where it says something impossible a note says so, and the link forgets it."""
    raw = ",".join(st.query_params.get_all(CELLS))
    if not raw:
        repeat(CELLS, raw, notes)
        return frozenset()
    try:
        return unspell(raw)
    except ValueError as error:
        clear_cells()
        complain(
            CELLS,
            f"The link asks for {CELLS} = {Typed(raw)}, but {Typed(error):200}. "
            "Showing the mask without painted cells.",
            "",
            notes,
        )
        return frozenset()
