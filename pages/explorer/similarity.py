"""Similarity: how similar the sentence typed is to a list of others, by the mean of a real model's states."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Float

from core.measures.similarity import similarities
from core.programs.similarity import similarity_program
from core.sources import PretrainedInfo
from core.text.tokenizer import MAX_WORDS, readable, words_of
from core.unavailable import named
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.program import Program
from pages.contract.question import Question
from pages.contract.sheet import Column, Controls, Formula, Listed, Notice, Part, Sheet, Text
from pages.controls.memory import remembered
from pages.controls.prose import Typed, literal
from pages.controls.real import real_button
from pages.controls.switches import NAMES, Architecture
from pages.explorer.explored import LONG
from pages.explorer.questions_of_models import (
    denied_sentence,
    nearest_sentence,
    two_orders_without_positions,
)
from pages.shell import View
from pages.shell.five import five
from pages.shell.loading import loaded
from pages.shell.scene import Scene
from viz.text import counted
from viz.units import two_decimals

SENTENCE = "The cat is sleeping on the sofa."
OTHERS = (
    "A kitten takes a nap on the couch.",
    "On the sofa sleeps the cat.",
    "The cat is not sleeping on the sofa.",
    "The sofa is sleeping on the cat.",
    "A dog is barking in the garden.",
    "She cooked dinner for her friends.",
    "Interest rates rose again last month.",
)
"""Said in other words, in another order, denied, turned round; then about other things."""

DENIED = OTHERS[2]
UNRELATED = OTHERS[-3:]
"""Sentences about other things than nearly any sentence."""

MOST = 12
"""Greatest number of sentences that are compared."""

ONLY_REAL = "Models of the small language know too few words to compare sentences: choose *real* weights."
WHY_REAL = "MiniLM was trained to give sentences of the same meaning vectors of the same direction."
EMPTY = "The list of sentences is empty: type at least one."
HOW = (
    "The vector of a sentence is the mean of the states of its pieces after the last layer. The similarity "
    "of two sentences is the cosine of the angle between their vectors. Change a switch to see which part of "
    "the model the order depends on."
)
COSINE = (
    r"\cos(u, v) = \frac{u \cdot v}{\lVert u \rVert \lVert v \rVert}, \qquad "
    r"u = \frac{1}{n} \sum_{i=1}^{n} h_i"
)
DEFINED = "Reimers and Gurevych 2019, section 3. h are the states after the last layer"

AGAINST, LOAD = "against", "examples_known"
"""The spots of the list, and of the button for a real model, which looks as where words are unknown."""

WIDE, NARROW = 300, 96
"""Pixels of the column with bars, and of it on a narrow page: the numbers stand right of them."""

EDGES = 14
"""Pixels of the lines around a table, and of what it can be grasped by."""


@dataclass(frozen=True)
class Found:
    """The sentences of the list with their cosines; `one` is None where no real model is chosen."""

    scene: Scene
    one: PretrainedInfo | None
    others: tuple[str, ...]
    read: tuple[tuple[str, ...], ...]
    cosines: Float[np.ndarray, "other"]


def ask(ask: Ask, scene: Scene) -> tuple[str, ...]:
    """The sentences to compare with; or a real model, which alone can."""
    if scene.switches.weights.pretrained is None:
        button = real_button()
        if button is not None:
            with ask.at(LOAD):
                ask.add(button)
        return ()
    text = ask.answers.spelling("text")
    with ask.at(AGAINST):
        typed = ask.lines(
            AGAINST,
            default=usual(SENTENCE if text is None else readable(text)),
            label="Sentences to compare it with, one a line",
        )
    lines = with_words(typed)
    if len(lines) > MOST:
        said = f"At most {MOST} sentences are compared: the first of your {len(lines)}."
        ask.note(Notice(said, "warning"))
    return lines[:MOST]


def with_words(typed: str) -> tuple[str, ...]:
    """The lines typed; empty ones, and sentences without words or with too many, are left out."""
    lines = (line.strip() for line in readable(typed).splitlines())
    return tuple(line for line in lines if 0 < len(words_of(line)) <= MAX_WORDS)


def find(scene: Scene, others: tuple[str, ...]) -> Found:
    """The cosine of the sentence with each of the list."""
    one = scene.switches.weights.pretrained
    if one is None or not others:
        return Found(scene, one, (), (), np.zeros(0))
    read = tuple(_pieces(one, text, at, scene.switches) for at, text in enumerate(others, 1))
    return Found(scene, one, others, read, _similarities(scene.plain, read, scene.switches))


def _pieces(one: PretrainedInfo, text: str, at: int, switches: Architecture) -> tuple[str, ...]:
    """Return the pieces of a sentence of the list; raises UnavailableError with its number."""
    with named(f"Sentence {at} of the list"):
        pieces = one.split(text).texts
        one.check_length(len(pieces), switches.config)
    return pieces


@remembered()
def _similarities(
    words: tuple[str, ...], others: tuple[tuple[str, ...], ...], switches: Architecture
) -> Float[np.ndarray, "other"]:
    return similarities(loaded(words, switches), [loaded(other, switches) for other in others])


def usual(text: str) -> tuple[str, ...]:
    """The sentences of the list at first: those about the cat are for the sentence about the cat.

    One's own is compared with its words the other way round, with its first half, and with other things.
    """
    if text == SENTENCE:
        return OTHERS
    words = text.split()
    half = words[: (len(words) + 1) // 2]
    own = dict.fromkeys(" ".join(part) for part in (words[::-1], half) if part != words)
    return (*own, *UNRELATED)


def sheet(found: Found, look: Look) -> Sheet:
    """The sentences of the list, the most similar first."""
    if found.one is None:
        return Sheet(answer=ONLY_REAL, parts=(Text(WHY_REAL), Controls(LOAD, "labels above")))
    box = Controls(AGAINST, "below each other")
    if not found.others:
        return Sheet(parts=(box, Notice(EMPTY)))
    parts: tuple[Part, ...] = (box, _table(found, look), Text(HOW), Formula(COSINE, DEFINED))
    return Sheet(answer=told_closest(found.others, found.cosines, found.one.title), parts=parts)


def _table(found: Found, look: Look) -> Listed:
    table = pd.DataFrame({"sentence": found.others, "similarity": found.cosines})
    ordered = table.sort_values("similarity", ascending=False, kind="stable")
    return Listed(
        "similarities",
        ordered,
        columns_in(look),
        width="stretch",
        title="Similarity of sentences to the one typed",
    )


def columns_in(look: Look) -> dict[str, Column]:
    """How the columns are written; a long sentence must not push the numbers out of a narrow page."""
    if not look.is_narrow:
        return {"similarity": Column("%.2f", "cosine similarity", is_bar=True, width=WIDE)}
    bars = Column("%.2f", "cosine", is_bar=True, width=NARROW)
    return {"sentence": Column(width=int(look.width) - NARROW - EDGES), "similarity": bars}


def told_closest(others: tuple[str, ...], cosines: Float[np.ndarray, "other"], title: str) -> str:
    """A sentence that names the most similar one for the model with this title."""
    closest = int(cosines.argmax())
    return (
        f"For {literal(title)}, the most similar of {counted(len(others), 'sentence')} is "
        f"*{Typed(others[closest])}*, with a cosine of {two_decimals(cosines[closest])}."
    )


def questions(found: Found) -> tuple[Question | None, ...]:
    """The nearest sentence and the denied one; of the small language what order is without positions."""
    if found.one is None or not found.others:
        return (two_orders_without_positions(),)
    sentence, scene = readable(found.scene.text), found.scene
    cosines = dict(zip(found.others, map(float, found.cosines), strict=True))
    own = set(scene.plain)
    shared = {other: len(own & set(words)) for other, words in zip(found.others, found.read, strict=True)}
    nearest = nearest_sentence(f"{literal(found.one.title)}", sentence, cosines, shared)
    is_denied = sentence == SENTENCE and DENIED in cosines
    return nearest, denied_sentence(sentence, DENIED, cosines[DENIED]) if is_denied else None


def program(found: Found) -> Program | None:
    """The cosines."""
    if not found.others:
        return None
    return Program(
        lambda: similarity_program(found.scene.subject, found.read),
        prints="the cosines, in the order of the list",
    )


VIEW = View(
    sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program),
    question="Which sentence is the most similar?",
    sentence=SENTENCE,
    switches=NAMES - {"seed", "window"},
    pieces=LONG,
)
