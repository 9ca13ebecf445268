"""Without parameters: each word is its own query, key and value, and why it then attends to itself."""

from dataclasses import dataclass

import numpy as np

from core.measures.stages import Bare, attend_bare
from core.programs.steps import bare_program
from core.text.tokenizer import MAX_WORDS
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Footnote, Formula, Sheet, Shown, Text
from pages.controls.examples import TEA
from pages.controls.prose import Typed, in_units
from pages.shell import Program, Scene, View
from pages.shell.five import five
from pages.step_by_step.questions import itself
from pages.step_by_step.walking import Walked, walked
from viz.stages import Panel, staged
from viz.text import counted, enumerated

SOURCE = "FNLP slides, after Bloem; textbook, section 24.4."
FORMULA = (
    r"z = \operatorname{softmax}\!\left(X X^\top\right) X, \qquad "
    r"z_i = \sum_j \frac{\exp(x_i\,x_j^\top)}{\sum_{j'} \exp(x_i\,x_{j'}^\top)}\, x_j"
)
LENGTH_1 = r", \qquad x_i \leftarrow \frac{x_i}{\lVert x_i \rVert}"
WHY = (
    "Among vectors of the same length, none has a larger dot product with a word than the word's own vector. "
    "So the largest weight of each row is on the diagonal; only a word with the same vector shares it"
)
RAW = (
    "With vectors of different lengths nothing guarantees that: a longer vector can have the larger dot "
    "product. Matrices for queries and keys free a word from attending mostly to itself."
)
NAMED = 6

SIZE = 860
"""Pixels of two matrices side by side that leave room for the sentences below."""


@dataclass(frozen=True)
class Found:
    """Attention of the word vectors with themselves, each made 1 long before if they are `normalised`."""

    seen: Walked
    bare: Bare
    normalised: bool


def ask(ask: Ask, scene: Scene) -> bool:
    """Whether vectors are scaled to length 1."""
    return ask.switch("unit")


def find(scene: Scene, normalised: bool) -> Found:
    """The dot products of the word vectors, and the weights."""
    seen = walked(scene)
    return Found(seen, attend_bare(seen.walk.vectors, normalised=normalised), normalised)


def sheet(found: Found, look: Look) -> Sheet:
    """The dot products of the word vectors, the weights, and which words attend most to themselves."""
    seen, bare, unit = found.seen, found.bare, found.seen.scene.unit
    panels = [Panel("x·x", bare.scores, "scores"), Panel("softmax", bare.pattern, "weights")]
    title = f"Dot products of {unit} vectors and their softmax"
    picture = staged(panels, seen.labels, title=title, theme=look.theme, size=look.room(SIZE), unit=unit)
    why = _why(seen) if found.normalised else in_units(RAW, unit)
    return Sheet(
        answer=answer(seen, bare),
        unknown=seen.unknown,
        parts=(
            Formula(
                FORMULA + LENGTH_1 * found.normalised,
                f"{SOURCE} X are the {unit} vectors alone, without a mask",
            ),
            Shown("bare", picture),
            Text(" ".join(filter(None, (_others(seen, bare), why)))),
            Footnote("E8"),
        ),
    )


def _why(seen: Walked) -> str:
    """Why the diagonal is largest, and which words have the same vector."""
    unknown = ", and unknown words all share one vector" * (len(seen.walk.unknown) > 1)
    return in_units(f"{WHY}, as a repeated word does{unknown}.", seen.scene.unit)


def answer(seen: Walked, bare: Bare) -> str:
    """How many words attend most to themselves."""
    itself, n, unit = bare.looks_at_itself, len(seen.labels), seen.scene.unit
    if n == 1:
        return f"The only {unit} attends to itself."
    alike = _alike(seen)
    as_much = f", {enumerated(alike)} as much to a {unit} with the same vector" if alike else ""
    if itself.all():
        return f"{n} of {counted(n, unit)}: every {unit} attends most to itself{as_much}."
    attend = "attends most to itself" if itself.sum() == 1 else "attend most to themselves"
    return f"{itself.sum()} of {counted(n, unit)} {attend}{as_much}."


def _alike(seen: Walked) -> list[str]:
    """The words that have the same vector as another of the sentence, each named once."""
    _, which, counts = np.unique(seen.walk.vectors, axis=0, return_inverse=True, return_counts=True)
    shared = counts[which.ravel()] > 1
    return list(dict.fromkeys(f"*{Typed(seen.labels[at])}*" for at in np.flatnonzero(shared)))


def _others(seen: Walked, bare: Bare) -> str:
    """A sentence on the word that the others attend to most, and on the lengths of the vectors."""
    others = np.flatnonzero(~bare.looks_at_itself)
    if not len(others):
        return ""
    told = ", ".join(
        f"**{Typed(seen.labels[at])}** attends most to **{Typed(seen.labels[largest])}**"
        for at, largest in zip(others[:NAMED], bare.pattern[others].argmax(axis=1), strict=False)
    )
    more = f" and {len(others) - NAMED} more" if len(others) > NAMED else ""
    shortest, longest = bare.lengths.min(), bare.lengths.max()
    return f"{told}{more}. The lengths of the vectors run from {shortest:.2f} to {longest:.2f}."


def questions(found: Found) -> tuple[Question | None, ...]:
    """Where a word attends most."""
    return (itself(found.bare.pattern, found.seen.scene.names),)


def program(found: Found) -> Program:
    """A program for the weights."""
    return Program(lambda: bare_program(found.seen.scene.subject, normalised=found.normalised))


# Word vectors are all it reads: no other switch changes them.
VIEW = View(
    sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program),
    question="Why have queries, keys and values at all?",
    sentence=TEA,
    switches=frozenset({"model", "seed"}),
    pieces=MAX_WORDS,
)
