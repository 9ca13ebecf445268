"""The inside of an LSTM: one step of its cell, at a word of the sentence."""

from collections.abc import Sequence
from dataclasses import fields

from core.measures.architectures.inside_lstm import CellStep, cell_step
from core.measures.architectures.unrolled import LANGUAGE_MODELS
from core.sources.rivals import load_rival
from pages.architectures import recurrent_said as says
from pages.contract.predict import told_apart
from pages.contract.sheet import Controls, Part, Shown, Text
from pages.contract.words import Words
from pages.controls.memory import remembered
from viz.architectures.lstm_cell import lstm_cell
from viz.theme import Theme

READ = "read"
"""The spot of the menu of the word that is read."""

CELL_WORD = "cell_word"
"""The parameter of that word."""


@remembered()
def inside(words: tuple[str, ...], layer: int, position: int) -> CellStep:
    """What the cell of a layer computes at a position, both counted from 0."""
    return cell_step(load_rival(LANGUAGE_MODELS["lstm"]), words, layer=layer, position=position)


def layer_of(row: str) -> int:
    """The layer of a row, counted from 0: the first, where the row is of none."""
    return int(row.split(".")[1]) if row.startswith("layers.") else 0


def parts(
    step: CellStep,
    words: Words,
    labels: Sequence[str],
    *,
    at: int,
    layer: int,
    theme: Theme,
    width: int,
) -> tuple[Part, ...]:
    """The menu of the word, the cell drawn at the word at a position, and the means of its gates."""
    computed = {one.name: getattr(step, one.name) for one in fields(step)}
    picture = lstm_cell(computed, word=labels[at], layer=layer, theme=theme, width=width)
    means = {name: float(computed[name].mean()) for name in ("forget", "write", "output")}
    return (
        Controls(READ),
        Shown("lstm_cell", picture),
        Text(says.cell(told_apart(words)[at], layer, **means)),
    )
