"""Heads: the scores of a model on the sentence typed, divided in three ways, for every number of heads."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Float

from core.learning.collection.members import HEADS
from core.measures.heads.head_counts import with_each
from core.measures.scaling import (
    BY_ROOT_D,
    BY_ROOT_D_HEAD,
    PLAIN,
    WITHIN_ROWS,
    WITHIN_ROWS_IS,
    head_rows,
    heads_table,
)
from core.programs.scaling import heads_program
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Columns, Footnote, Notice, Part, Sheet, Shown, Text
from pages.controls.examples import TEA
from pages.controls.memory import remembered
from pages.controls.switches import Architecture
from pages.controls.weights import absent_of
from pages.scaling.growth import HEIGHT, decimals
from pages.scaling.questions import root_of_a_head, spreads_in_order
from pages.shell import Program, Scene, View
from pages.shell.five import five
from pages.shell.loading import loaded_with_each
from viz.bar_rows import bars
from viz.curves import chart
from viz.tables import named, unique_words
from viz.text import counted
from viz.theme import Theme

COUNTS = {float(n_heads): str(n_heads) for n_heads in HEADS}
SPREADS = {float(spread): str(spread) for spread in (0, 2, 4, 6, 8, 10)}
LONE = "A single word attends to itself alone: type a second one."

Words = tuple[str, ...]


@dataclass(frozen=True)
class Found:
    """A word's weights with the three divisions, and a table of `spread_within_rows` by number of heads.

    `missing` says why some models are not there.
    """

    scene: Scene
    query: int
    rows: Float[np.ndarray, "division key"]
    table: pd.DataFrame
    missing: str

    @property
    def n_heads(self) -> int:
        """How many heads the model of the switches has."""
        return self.scene.switches.config.n_heads

    @property
    def spreads(self) -> dict[str, float]:
        """The spreads of that model by the division; none where every row has one word."""
        own = self.table[self.table["heads"] == self.n_heads].dropna()
        return dict(zip(own["scores"], own["spread"], strict=True))


def ask(ask: Ask, scene: Scene) -> int:
    """The word: the last one at first."""
    word = ask.word("word", scene.words, unchosen="last")
    return len(scene.words) - 1 if word is None else word


def find(scene: Scene, query: int) -> Found:
    """The weights of the word, and the spreads of the models that are there."""
    switches = scene.switches
    missing = absent_of(switches.source, with_each(switches.config).values())
    rows = head_rows(scene.reading, scene.layer, scene.head, query)
    return Found(scene, query, rows, _table(scene.words, switches, scene.layer, missing), missing)


@remembered()
def _table(words: Words, switches: Architecture, layer: int, missing: str) -> pd.DataFrame:
    models = loaded_with_each(words, switches, with_each(switches.config))
    return heads_table(models.values(), layer=layer)


def sheet(found: Found, look: Look) -> Sheet:
    """One word's weights with the three divisions, and the spread of the scores for 1, 2, 4 and 8 heads."""
    scene, spreads = found.scene, found.spreads
    left, right = look.columns((1, 1))
    beside: Part = _spread(found.table, found.n_heads, scene.layer, right) if spreads else Text(LONE)
    below = Text(_explanation(found.table, found.n_heads, trained=scene.switches.weights.trained))
    return Sheet(
        answer=" ".join(
            [*([_answer(spreads, found.n_heads, scene.layer)] if spreads else []), _shown(found)]
        ),
        notes=(Notice(found.missing, "warning"),) if found.missing else (),
        parts=(
            Columns((_of_word(found, left), (Text(_of_spreads(scene.layer)), beside))),
            *((below, Text(WITHIN_ROWS_IS)) if spreads else ()),
            Footnote("E10"),
        ),
    )


def _colours(theme: Theme) -> dict[str, str]:
    return {PLAIN: theme.key, BY_ROOT_D: theme.value, BY_ROOT_D_HEAD: theme.query}


def _of_word(found: Found, look: Look) -> tuple[Text, Shown]:
    scene = found.scene
    return Text(_of_row(scene.words[found.query], scene.layer, scene.head)), _row(found, look)


def _row(found: Found, look: Look) -> Shown:
    rows, plain, colours = found.rows, found.scene.plain, _colours(look.theme)
    word = named(plain, found.query)
    picture = bars(
        rows,
        colours,
        plain,
        title=f"Attention weights of {word} with three divisions, {found.scene.place}",
        theme=look.theme,
        narrow=look.is_narrow,
        top=rows.max(),
        chosen=found.query,
        table=lambda: pd.DataFrame(
            rows.T, index=pd.Index(unique_words(plain), name="key"), columns=list(colours)
        ),
    )
    return Shown("head_row", picture)


def _spread(table: pd.DataFrame, n_heads: int, layer: int, look: Look) -> Shown:
    picture = chart(
        table,
        title=f"{WITHIN_ROWS.capitalize()} of the scores against number of heads, layer {layer + 1}",
        x="heads",
        y="spread",
        by="scores",
        say=decimals,
        theme=look.theme,
        within=look.width,
        colours=_colours(look.theme),
        x_title="number of heads k",
        y_title=WITHIN_ROWS,
        x_ticks=COUNTS,
        y_ticks=SPREADS,
        log="x",
        mark=n_heads,
        mark_name=f"k = {n_heads}",
        height=HEIGHT,
    )
    return Shown("head_spread", picture)


def _shown(found: Found) -> str:
    return f"The row shown is that of *{found.scene.names[found.query]}* in {found.scene.place}."


def _answer(spreads: Mapping[str, float], n_heads: int, layer: int) -> str:
    """The three spreads of the model on the screen."""
    found = ", ".join(f"{spread:.2f} for {name}" for name, spread in spreads.items())
    return f"With {counted(n_heads, 'head')} the scores of layer {layer + 1} have a {WITHIN_ROWS} of {found}."


def _explanation(table: pd.DataFrame, n_heads: int, *, trained: bool) -> str:
    """What the wrong root does."""
    if n_heads == 1:
        return "Both roots are the same, because d/k is d."
    return (
        f"Each head sums only d/k products, so **√d divides by √{n_heads} = {n_heads**0.5:.2f} times too "
        f"much**.{_trend(table)} None of them must be 1: {'learned' if trained else 'these'} queries and "
        "keys have a standard deviation of their own."
    )


def _trend(table: pd.DataFrame) -> str:
    """How both divisions go from the fewest heads to the most, where there are several models."""
    counts = table["heads"].dropna()
    ends = (counts.min(), counts.max())
    if ends[0] == ends[1]:
        return ""
    by_root, by_root_of_head = (
        [float(table[(table["heads"] == k) & (table["scores"] == name)]["spread"].iloc[0]) for k in ends]
        for name in (BY_ROOT_D, BY_ROOT_D_HEAD)
    )
    return (
        f" From {counted(int(ends[0]), 'head')} to {int(ends[1])}, {BY_ROOT_D} goes from {by_root[0]:.2f} to "
        f"{by_root[1]:.2f}, and {BY_ROOT_D_HEAD} from {by_root_of_head[0]:.2f} to {by_root_of_head[1]:.2f}."
    )


def _of_row(word: str, layer: int, head: int) -> str:
    return f"## What **{word}** attends to · layer {layer + 1} · head {head + 1}"


def _of_spreads(layer: int) -> str:
    return f"## {WITHIN_ROWS.capitalize()} of the scores of layer {layer + 1}, by number of heads"


def questions(found: Found) -> tuple[Question | None, ...]:
    """By what a head divides, and the three spreads."""
    config = found.scene.reading.config
    return root_of_a_head(config.n_heads, config.d_model), spreads_in_order(found.spreads)


def program(found: Found) -> Program:
    """The weights of the word with the three divisions."""
    return Program(lambda: heads_program(found.scene.subject, found.query))


VIEW = View(
    sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program, reads=True),
    sentence=TEA,
    switches=frozenset({"model", "seed", "positions", "mask", "heads", "norm"}),
    about="head",
)
