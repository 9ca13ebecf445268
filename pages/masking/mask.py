"""The mask of the page: a preset with its number, the flipped cells in it, and the reading under it."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from math import isqrt
from typing import Any

import numpy as np
from jaxtyping import Bool

from core.measures.masking.painting import MOST_PAINTED, Cell, PaintedMask, mask_of, read_painted
from core.measures.reading import HeadResults, WholeReading
from pages.contract.ask import ROW, Ask
from pages.contract.examples import TEA
from pages.contract.loading import loaded, measured
from pages.contract.model_descriptions import mask_in_words
from pages.contract.parameters import SWITCHES
from pages.contract.scene import Scene
from pages.contract.sheet import Caption, Changes, LinkValues, Text
from words import counted

PAINTED: dict[str, Any] = {"sentence": TEA, "switches": SWITCHES - {"mask", "window"}}
"""Settings of views under a painted mask: their models are those trained under the causal mask."""

AMOUNTS = {
    "window": ("radius", "± {}s"),
    "prefix": ("prefix", "Prefix"),
    "padding": ("padded", "Padded"),
}
"""Name in the link, and label for words or pieces, of the number of a preset."""

COMBINED = ("window", "padding")
"""Presets that show the future unless they are combined with the causal mask."""

CELLS = "cells"
"""Parameter of the flipped cells."""

MOST_DIGITS = MOST_PAINTED**2 // 4
"""Hexadecimal digits of the cells of the longest sentence."""

NARROW = 180

"""Width in pixels of the number box of a mask."""


def ask_mask(ask: Ask, n: int, *, unit: str, unpaint_at: str = ROW) -> PaintedMask:
    """Return the mask asked for over `n` words, or pieces, as `unit` says.

    The button that clears the painted cells stands at the spot `unpaint_at`.
    """
    preset = ask.choice("preset", hide_label=True, clears=(CELLS,))
    amount, no_future = 0, False
    if preset in AMOUNTS:
        name, label = AMOUNTS[preset]
        amount = ask.number(name, label=label.format(unit), width=NARROW)
    if preset in COMBINED:
        no_future = ask.switch("causal")
    cells: frozenset[Cell] = frozenset()
    if n <= MOST_PAINTED:
        cells = ask.parsed(CELLS, parse_cells, default=cells, instead="the mask without painted cells")
        with ask.at(unpaint_at):
            # Always there, because a button that comes and goes would move the cells.
            ask.button("Clear", {CELLS: None}, is_off=not cells, icon=":material/undo:")
    return PaintedMask(preset=preset, amount=amount, no_future=no_future, cells=cells)


def flipped_in(link: LinkValues) -> frozenset[Cell]:
    """Return the cells that a link flips; none if it has something impossible."""
    with suppress(ValueError):
        return parse_cells(",".join(link.get(CELLS, [])))
    return frozenset()


def flip(cells: frozenset[Cell], link: LinkValues) -> Changes:
    """Return the change of the link that flips these cells."""
    flipped = flipped_in(link) ^ cells
    return {CELLS: spell(flipped) if flipped else None}


@dataclass(frozen=True)
class Painting:
    """A scene, the mask painted for it, and the reading under that mask."""

    scene: Scene
    mask: PaintedMask
    reading: WholeReading

    @property
    def labels(self) -> tuple[str, ...]:
        """Return the words as a figure names them: unknown words carry a mark."""
        return self.scene.marked(self.reading.unknown)

    @property
    def stages(self) -> HeadResults:
        """Return the chosen head from scores to weights."""
        return self.reading.head(self.scene.layer, self.scene.head)

    @property
    def allowed(self) -> Bool[np.ndarray, "query key"]:
        """Return which query may attend to which key."""
        return self.reading.allowed()

    @property
    def notes(self) -> tuple[Text, ...]:
        """Return notes above the picture: on ablations, and on training under another mask."""
        switches, allowed, drawn, had = self.scene.switches, self.allowed, "", ""
        if switches.weights.trained:
            pretrained = switches.weights.pretrained
            trained = switches.config if pretrained is None else pretrained.config
            if not np.array_equal(allowed, mask_of(trained, len(allowed))):
                is_causal = np.array_equal(allowed, np.tri(len(allowed), dtype=bool))
                drawn = "the causal mask" if is_causal else "another mask"
                had = mask_in_words(trained.mask)
        label = switches.ablated_too(drawn, had)
        return (Text(label),) if label else ()

    @property
    def caption(self) -> Caption:
        """Return the caption of a picture: the trained model, and the mask if it reads under another."""
        if np.array_equal(self.allowed, mask_of(self.scene.switches.config, len(self.scene.words))):
            return Caption()
        mask, n = self.mask, len(self.flipped)
        amount = f" {mask.amount}" if mask.preset in AMOUNTS else ""
        causal = " and causal" if mask.no_future else ""
        painted = f", {counted(n, 'cell')} painted" if n else ""
        return Caption(notes=(f"read under the mask: {mask.preset}{amount}{causal}{painted}",))

    @property
    def flipped(self) -> list[tuple[int, int]]:
        """Return the cells flipped by hand, as (query, key)."""
        return self.mask.within(len(self.scene.words))


def painted_over(scene: Scene, mask: PaintedMask) -> Painting:
    """Return the scene under a mask. Raises UnavailableError if the model is not there."""
    return Painting(scene, mask, measured(read_painted, loaded, scene.words, scene.switches, mask))


def spell(cells: Iterable[Cell]) -> str:
    """Spell cells as a hexadecimal number with one bit for each; empty for none.

    The bit of a cell does not depend on the length of the sentence: bits m² to m² + 2m belong to the cells
    that word m adds, first as a key and then as a query (Szudzik 2006).
    """
    number = sum(1 << _bit(cell) for cell in set(cells))
    return f"{number:x}" if number else ""


def parse_cells(text: str) -> frozenset[Cell]:
    """Return the cells that `spell` wrote as `text`. Raises ValueError for any other text."""
    digits = set("0123456789abcdef")
    if not 0 < len(text) <= MOST_DIGITS or not set(text) <= digits or text[0] == "0":
        raise ValueError(f"cells are up to {MOST_DIGITS} digits of 0–9 and a–f, without leading zeros")
    number = int(text, 16)
    return frozenset(_cell(bit) for bit in range(number.bit_length()) if number >> bit & 1)


def _bit(cell: Cell) -> int:
    query, key = cell
    return query * query + query + key if query >= key else key * key + query


def _cell(bit: int) -> Cell:
    word = isqrt(bit)
    beyond = bit - word * word
    return (beyond, word) if beyond < word else (word, beyond - word)
