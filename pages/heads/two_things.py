"""Two things: a task in which one head loses half of what is asked for, and two heads nothing."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.measures.heads.two_things import (
    STEPS,
    WORDS,
    Learned,
    balance_table,
    learn,
    learning_table,
    lost_alone,
)
from core.programs.heads import fetching_program
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Columns, Controls, Footnote, Formula, Sheet, Shown, Text
from pages.controls.memory import remembered
from pages.heads.questions import what_two_heads_attend_to
from pages.shell import Program, Scene, View
from pages.shell.five import five
from viz.bar_rows import bars
from viz.curves import chart
from viz.theme import Theme
from viz.units import per_cent

SPOT = "balance"
SHARES = {at / 4: per_cent(at / 4) for at in range(5)}
FINE = np.linspace(0, 1, 101)
ENDS = {float(steps): str(steps) for steps in range(0, STEPS + 1, 100)}
NAMES = {1: "one head", 2: "two heads"}
HEIGHT = 260
EQUATION = Formula(
    r"h_i^{(\ell)} = \sum_j \alpha_{ij}^{(\ell)} v_j^{(\ell)}, \qquad "
    r"h_i = \bigl[h_i^{(1)}; \cdots; h_i^{(k)}\bigr]\,O",
    "CS 224N note, eq 22 and 24, with rows for its columns",
)

TASK = (
    "Every word of `Maria met Zuko` carries a content, a number of its own. *met* has to fetch the content "
    "of **Maria** and the content of **Zuko** and keep them apart. One head returns one weighted average."
)
RANKS = "The task is a matrix of rank 2, and every head adds a matrix of rank 1."


@dataclass(frozen=True)
class Found:
    """The attention weight on Maria in per cent, and how two small layers have learned the task."""

    percent: int
    one: Learned
    two: Learned


def ask(ask: Ask, scene: Scene) -> int:
    """The balance of one head."""
    with ask.at(SPOT):
        ask.name("attention weight on Maria, in %")
        return int(ask.slide("maria"))


def find(scene: Scene, percent: int) -> Found:
    """The two layers, which learn the task once for all visitors."""
    return Found(percent, _learned(1), _learned(2))


@remembered(saying="Two small layers learn the task …")
def _learned(n_heads: int) -> Learned:
    return learn(n_heads)


def sheet(found: Found, look: Look) -> Sheet:
    """What one head loses at the chosen balance and at all others, then what learning makes of the task."""
    left, right = look.columns((1, 1))
    return Sheet(
        answer=_answer(found.percent),
        parts=(
            EQUATION,
            Text(TASK),
            Controls(SPOT),
            Columns((_balance(found.percent / 100, left), _learning(found, right))),
            Text(RANKS),
            Columns((_weights(found, left), (Text(_explanation(found.one, found.two)), Footnote("E4")))),
        ),
    )


def _colours(theme: Theme) -> dict[str, str]:
    return {"Maria": theme.value, "Zuko": theme.key, "both, mean": theme.query, "two heads": theme.muted}


def _balance(share: float, look: Look) -> tuple[Text, Shown]:
    """What is lost of each content, and of both, against the share of one head's weight."""
    picture = chart(
        balance_table(FINE),
        title="Content lost by one head against its attention weight",
        x="share",
        y="lost",
        by="of",
        say=per_cent,
        theme=look.theme,
        within=look.width,
        colours=_colours(look.theme),
        x_title="attention weight on Maria",
        y_title="share of the content lost",
        x_ticks=SHARES,
        y_ticks=SHARES,
        mark=share,
        mark_name=per_cent(share),
        height=HEIGHT,
    )
    return Text("## What one head loses as its attention weight moves to Maria"), Shown("balance", picture)


def _learning(found: Found, look: Look) -> tuple[Text, Shown]:
    """How the loss falls while a layer with one head and one with two learn the task."""
    picture = chart(
        learning_table(dict(zip(NAMES.values(), (found.one, found.two), strict=True))),
        title="Content lost by one head and by two during training",
        x="steps",
        y="lost",
        by="network",
        say=per_cent,
        theme=look.theme,
        within=look.width,
        colours={"one head": look.theme.query, "two heads": look.theme.muted},
        x_title="training steps",
        y_title="share of both contents lost",
        x_ticks=ENDS,
        y_ticks=SHARES,
        height=HEIGHT,
    )
    return Text("## Loss during training"), Shown("two_things_learning", picture)


def _weights(found: Found, look: Look) -> tuple[Text, Shown]:
    """What the heads that have learned the task attend to."""
    theme = look.theme
    rows = {"one head": theme.query, "first of two": theme.muted, "second of two": theme.muted}
    shares = np.concatenate([found.one.pattern, found.two.pattern])
    picture = bars(
        shares,
        rows,
        WORDS,
        title="Attention weights of “met” after training, one head and two",
        theme=look.theme,
        narrow=look.is_narrow,
        top=1,
        table=lambda: pd.DataFrame(shares, index=pd.Index(list(rows), name="head"), columns=list(WORDS)),
    )
    return Text("## What *met* attends to after training"), Shown("two_things_learned", picture)


def _answer(percent: int) -> str:
    """What one head loses of each content, and of both."""
    first, second = lost_alone(percent / 100)
    return (
        f"With {percent} % of its attention weight on Maria, one head loses at least {per_cent(first)} of "
        f"her content and {per_cent(second)} of Zuko's: {per_cent((first + second) / 2)} on average, "
        "however the weight is split."
    )


def _explanation(one: Learned, two: Learned) -> str:
    """What both layers lose once they have learned, and what one head lacks."""
    return (
        f"After {STEPS} training steps one head loses **{per_cent(one.lost[-1])}** and two heads lose "
        f"**{per_cent(two.lost[-1])}**. Both layers have equally many value and output weights: what one "
        "head lacks is a second weighted average. The output matrix can separate two that differ."
    )


def questions(found: Found) -> tuple[Question | None, ...]:
    """What two heads attend to."""
    patterns = [dict(zip(WORDS, map(float, row), strict=True)) for row in found.two.pattern]
    return (what_two_heads_attend_to(patterns),)


def program(found: Found) -> Program:
    """A program for both layers trained on the task."""
    return Program(fetching_program)


VIEW = View(sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program))
