"""Two things: a task in which one head loses half of the information, and two heads lose nothing."""

from collections.abc import Mapping, Sequence

import numpy as np

from core.measures.heads.several import (
    STEPS,
    WORDS,
    LearningResult,
    learn,
    learning_table,
    one_head_variance_lost,
)
from core.programs import Call
from pages.contract.ask import Ask
from pages.contract.caching import cached_for_all
from pages.contract.question import Choose, Option
from pages.contract.question_builders import choose
from pages.contract.scene import Scene
from pages.contract.sheet import Caption, Columns, Controls, Fold, Formula, PicturePart, Program, Sheet, Text
from pages.contract.view import view
from viz.bar_rows import BarRows
from viz.curves import Curves
from viz.theme import Role
from words import per_cent

BALANCE = "balance"
"""Spot of the slider."""

HEADS = {1: "one head", 2: "two heads"}
NAMES = ("Maria", "Zuko")
"""The words whose numbers are fetched."""

MOST = 0.7
"""Share of the attention of a head that is clearly most of it."""

EQUATION = Formula(
    r"z_i^{(\ell)} = \sum_j \alpha_{ij}^{(\ell)} v_j^{(\ell)}, \qquad "
    r"h_i = \bigl[z_i^{(1)}; \cdots; z_i^{(k)}\bigr]\,O",
)
TASK = (
    "Each word of `Maria met Zuko` carries a number. *met* has to fetch **Maria's** and **Zuko's**, and to "
    "keep them apart."
)
LOST = (
    "The numbers stand in the same place of all vectors, and one head returns their weighted sum. With "
    "weights of one half, 2 and 8 give the same sum as 4 and 6, so it does not determine the two numbers. A "
    "bar says how much of a number is lost: the share of its variance that the outputs of the heads do not "
    "determine. At 0 % nothing is lost, at 100 % all of it."
)
RANKS = (
    "The task is a matrix that picks two of three numbers: its rank is 2. Each head adds a matrix of rank 1, "
    "and no matrix of rank 1 loses less than half."
)


_learned = cached_for_all(saying="Two small layers learn the task …")(learn)


@view()
def two_things(ask: Ask, scene: Scene) -> Sheet:
    """Draw the loss of one head at the chosen weight, and the result of learning the task."""
    with ask.at(BALANCE):
        ask.name("attention weight on Maria, in %")
        percent = int(ask.slide("maria"))
    one, two = _learned(1), _learned(2)
    return Sheet(
        headline=headline(percent),
        caption=Caption(
            models=lambda: ("attention layers with one head and with two",),
            notes=("“Maria met Zuko”, a number for each word; “met” has to return two of them",),
        ),
        parts=(
            Text(TASK),
            Controls(BALANCE),
            Columns((_lost_now(percent / 100), _learning(one, two))),
            Text(LOST),
            Columns((_weights(one, two), (Text(after_training(one, two)),))),
            Fold("Why one head cannot", (Text(RANKS), EQUATION)),
        ),
        questions=lambda: (
            one_sided_weight_question(),
            two_heads_question([dict(zip(WORDS, map(float, row), strict=True)) for row in two.pattern]),
        ),
        program=lambda: Program.calling(
            "Two contents to be kept apart: how much one head loses, and then two heads.",
            learn,
            1,
            then=[Call(learn, 2)],
        ),
    )


def headline(percent: int) -> str:
    """Return how much one head loses of each number."""
    first, second = one_head_variance_lost(percent / 100)
    return (
        f"With {percent} % of its weight on Maria, one head at best loses {per_cent(first)} of her number "
        f"and {per_cent(second)} of Zuko's. Two heads can keep both."
    )


def _lost_now(share: float) -> tuple[Text, PicturePart]:
    """Draw the loss of one head for each number, and two heads with one word each."""
    lost = np.array([one_head_variance_lost(share), (0.0, 0.0)])
    roles: tuple[Role, Role] = ("query", "muted")
    picture = BarRows(
        shares=lost,
        rows=dict(zip(HEADS.values(), roles, strict=True)),
        columns=NAMES,
        title=f"Share of each number lost, with {per_cent(share)} of the weight of one head on Maria",
    )
    return Text("## What is lost of each number, at best"), PicturePart("balance", picture)


def _learning(one: LearningResult, two: LearningResult) -> tuple[Text, PicturePart]:
    """Draw how the loss falls while one head and two heads learn the task; the ends are marked."""
    picture = Curves(
        rows=learning_table(dict(zip(HEADS.values(), (one, two), strict=True))),
        title="Share of both numbers lost by one head and by two during training",
        x="steps",
        y="lost",
        by="network",
        say=per_cent,
        colours={"one head": "query", "two heads": "muted"},
        x_title="training steps",
        y_title="share of both numbers lost",
        reach=(0, 1),
        points=[(STEPS, each.lost[-1], per_cent(each.lost[-1])) for each in (one, two)],
    )
    return Text("## Share of both numbers lost, during training"), PicturePart("two_things_learning", picture)


def _weights(one: LearningResult, two: LearningResult) -> tuple[Text, PicturePart]:
    """Draw the attention of the trained heads."""
    picture = BarRows(
        shares=np.concatenate([one.pattern, two.pattern]),
        rows={"one head": "query", "first of two": "muted", "second of two": "muted"},
        columns=WORDS,
        title="Attention weights of “met” after training, one head and two",
    )
    return Text("## What *met* attends to after training"), PicturePart("two_things_learned", picture)


def after_training(one: LearningResult, two: LearningResult) -> str:
    """Return the losses of both layers after training, and what the single head lacks."""
    return (
        f"After {STEPS} training steps one head loses **{per_cent(one.lost[-1])}** and two heads lose "
        f"**{per_cent(two.lost[-1])}**. Both layers have equally many parameters for values and output "
        "projection: one head lacks a second weighted sum. The output projection can separate two sums that "
        "differ."
    )


def one_sided_weight_question() -> Choose | None:
    """Ask how much one head loses if its weight moves from both words to one."""
    return choose(
        "One head has half of its attention weight on Maria and half on Zuko. At best it loses 50 % of each "
        "number. Now its whole weight moves to Maria. How much does it lose on average?",
        Option("50 %, as before", sum(one_head_variance_lost(1)) == sum(one_head_variance_lost(0.5))),
        Option("nothing", False, "Its output is Maria's number, and says nothing about Zuko's."),
        Option("25 %", False, "What it gains of Maria's number it loses of Zuko's."),
        because="It keeps all of Maria's number and nothing of Zuko's: half of both.",
    )


def two_heads_question(patterns: Sequence[Mapping[str, float]]) -> Choose | None:
    """Ask what two heads learn to attend to; None unless each attends most to a different name."""
    first, second = (max(NAMES, key=one.__getitem__) for one in patterns)
    weights = [one[word] for one, word in zip(patterns, (first, second), strict=True)]
    one_each = first != second and min(weights) > MOST
    return choose(
        "Two heads learn to fetch a number from each of two names. What do they attend to?",
        Option("one name each", one_each or None),
        Option(
            "both names, with half of the weight on each",
            False,
            "Then both would return the same weighted sum, which nothing could separate again.",
        ),
        Option("one and the same name", False, "Then the other number would be lost, as with one head."),
        because=(
            f"One gives *{first}* {per_cent(weights[0])}, the other *{second}* {per_cent(weights[1])}: two "
            "weighted sums that differ, which the output projection can separate."
        ),
    )
