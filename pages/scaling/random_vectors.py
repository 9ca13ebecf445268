"""Random vectors: one row of weights at any length, and how far apart the scores lie as it grows."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Float

from core.measures.scaling import BY_ROOT_D, N_KEYS, N_ROWS, PLAIN, word_rows
from core.programs.scaling import row_program
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Columns, Formula, Sheet, Shown, Text
from pages.controls.examples import TEA
from pages.controls.memory import remembered
from pages.scaling.growth import DRAWN, LENGTHS, against_width, ask_length, at_width, colours, growth
from pages.scaling.questions import spread_of_dot_products, why_divide
from pages.shell import Program, Scene, View
from pages.shell.five import five
from viz.bar_rows import bars
from viz.tables import named, unique_words
from viz.units import per_cent

ROOT = "√d"
EQUATION = Formula(
    r"\alpha_j = \frac{\exp(s_j)}{\sum_{j'} \exp(s_{j'})}, \qquad s_j = \frac{q \cdot k_j}{\sqrt{d}}",
    "CS 224N note, eq 32, for one query. Here q and every k are random; without the division s is q · k",
)
SPREADS = {float(2**power): str(2**power) for power in range(6)}
LONE = "A single word attends to itself alone: type a second one."
WHY = (
    "A dot product adds up d products, so its standard deviation grows as √d. Divided by √d, the standard "
    "deviation is close to 1 at every other d too."
)

Rows = Float[np.ndarray, "division key"]


@dataclass(frozen=True)
class Choices:
    """How many dimensions the vectors have, and whose weights are shown."""

    d: int
    query: int


@dataclass(frozen=True)
class Found:
    """The weights that a word gives all words, and what becomes of random scores as vectors get longer."""

    scene: Scene
    choices: Choices
    rows: Rows
    growth: pd.DataFrame


def ask(ask: Ask, scene: Scene) -> Choices:
    """The dimensions and the word, which is the last one at first."""
    d = ask_length(ask)
    word = ask.word("word", scene.words, unchosen="last")
    return Choices(d, len(scene.words) - 1 if word is None else word)


def find(scene: Scene, choices: Choices) -> Found:
    """The weights of the word and the standard deviation of the scores, with and without the division."""
    seed = scene.switches.seed
    return Found(scene, choices, _weights(scene.words, choices.query, choices.d, seed), growth(seed))


@remembered()
def _weights(words: tuple[str, ...], query: int, d: int, seed: int) -> Rows:
    return word_rows(words, query, d, seed=seed)


def sheet(found: Found, look: Look) -> Sheet:
    """A row of weights, and beside it the spread of the scores against the length of the vectors."""
    d = found.choices.d
    left, right = look.columns((1, 1))
    row = f"The row shown is that of *{found.scene.words[found.choices.query]}*."
    return Sheet(
        answer=f"{_answer(d, *_spreads(found))} {row}",
        parts=(
            EQUATION,
            Columns((_row(found, left), (Text(_of_spreads()), _spread(found.growth, d, right)))),
            Text(WHY),
        ),
    )


def _spreads(found: Found) -> tuple[float, float]:
    """The standard deviation of the scores without the division and with it."""
    plain, divided = (at_width(found.growth, found.choices.d, name) for name in (PLAIN, BY_ROOT_D))
    return float(plain["spread"]), float(divided["spread"])


def _row(found: Found, look: Look) -> tuple[Text, Shown, Text]:
    """The weights that one word gives all words, with and without the division."""
    rows, words, choices = found.rows, found.scene.plain, found.choices
    word = named(words, choices.query)
    picture = bars(
        rows,
        colours(look.theme),
        words,
        title=f"Attention weights of {word}, random vectors of {choices.d} dimensions",
        theme=look.theme,
        top=1,
        narrow=look.is_narrow,
        chosen=choices.query,
        table=lambda: pd.DataFrame(
            rows.T, index=pd.Index(unique_words(words), name="word"), columns=[PLAIN, BY_ROOT_D]
        ),
    )
    return (
        Text(_of_row(found.scene.words[choices.query], choices.d)),
        Shown("row", picture),
        Text(_largest([float(row.max()) for row in rows]) if len(words) > 1 else LONE),
    )


def _spread(table: pd.DataFrame, d: int, look: Look) -> Shown:
    """Standard deviation of the scores against d, on logarithmic axes, with the root beside it."""
    root = pd.DataFrame(
        {"dimensions": list(LENGTHS), "scores": ROOT, "spread": [width**0.5 for width in LENGTHS]}
    )
    picture = against_width(
        pd.concat([table[["dimensions", "scores", "spread"]], root]),
        d,
        y="spread",
        y_title="standard deviation",
        y_ticks=SPREADS,
        title="Standard deviation of scores against number of dimensions",
        theme=look.theme,
        within=look.width,
        colours={ROOT: look.theme.muted, **colours(look.theme)},
        log=True,
    )
    return Shown("spread", picture)


def _answer(d: int, plain: float, divided: float) -> str:
    """The standard deviation of random scores with and without the division."""
    return (
        f"At d = {d} the scores of random vectors have a standard deviation of {plain:.2f}; divided by "
        f"√{d} = {d**0.5:.2f} it is {divided:.2f}."
    )


def _of_row(word: str, d: int) -> str:
    return f"## What **{word}** attends to, with random vectors of {d} dimensions"


def _of_spreads() -> str:
    return f"## Standard deviation of {N_ROWS * N_KEYS:,} random dot products at each d"


def _largest(shares: Sequence[float]) -> str:
    """The largest weight of each row."""
    told = (f"{per_cent(share)} ({name})" for name, share in zip((PLAIN, BY_ROOT_D), shares, strict=True))
    return f"Largest attention weight: {', '.join(told)}."


def questions(found: Found) -> tuple[Question | None, ...]:
    """How far apart dot products lie, and why they are divided."""
    d, (plain, divided) = found.choices.d, _spreads(found)
    return (
        spread_of_dot_products(d, plain),
        why_divide(d, plain, divided),
    )


def program(found: Found) -> Program:
    """The weights of the word."""
    scene, choices = found.scene, found.choices
    return Program(
        lambda: row_program(scene.plain, choices.query, choices.d, seed=scene.switches.seed),
        prints="the weights of the word chosen",
    )


VIEW = View(
    sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program),
    sentence=TEA,
    switches=DRAWN,
)
