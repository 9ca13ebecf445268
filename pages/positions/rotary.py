"""Rotary positions: a query and a key rotate with their positions, and their score depends on distance."""

import math
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from core.measures.positions.rotary import Meeting, meeting, radians_per_word
from core.model.positions import SCHEMES
from core.programs.positions import rotary_program
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.predict import told_apart
from pages.contract.question import Question
from pages.contract.sheet import Columns, Controls, Formula, Sheet, Shown, Text
from pages.controls.examples import OVEN
from pages.controls.parameters.mechanism import FURTHEST
from pages.positions.questions import score_after_shift
from pages.positions.switches import OF_THE_WEIGHTS
from pages.shell import Program, Scene, View
from pages.shell.five import five
from pages.shell.scene import at_place, reading, subject
from viz.matrices import scores
from viz.rotary_pairs import rotary_pairs
from viz.tables import named
from viz.units import distance, two_decimals

FEW_PAIRS = 8
"""Most circles with room to say that the degrees are those per word."""

USUAL = 3
"""By how many positions both words are asked to move where they have not been moved."""

CIRCLES, MATRIX = 470, 470
TITLE = "Rotary scores by position of query and key"
MOVED = "moved"
"""The spot of the two words and of the slider that shifts both."""


@dataclass(frozen=True)
class Choices:
    """The layer and the head, the two words if they are chosen, and by how much they are shifted."""

    layer: int
    head: int
    query: int | None
    key: int | None
    moved: int


@dataclass(frozen=True)
class Pair:
    """A query and a key: their words, their positions in the sentence, and by how much both are shifted."""

    query_word: str
    key_word: str
    query: int
    key: int
    moved: int

    @property
    def shifted(self) -> tuple[int, int]:
        """The positions of query and key after the shift."""
        return self.query + self.moved, self.key + self.moved

    @property
    def n(self) -> int:
        """How many positions the matrix shows: those that the two words can be shifted to."""
        return max(self.query, self.key) + FURTHEST + 1


@dataclass(frozen=True)
class Found:
    """A query and a key of one head, and their score wherever they stand; `unknown` words of the sentence."""

    scene: Scene
    choices: Choices
    pair: Pair
    meeting: Meeting
    scores: Float[np.ndarray, "query key"]
    unknown: tuple[int, ...]


def ask(ask: Ask, scene: Scene) -> Choices:
    """The layer and the head; below that the two words and the shift."""
    config = scene.switches.config
    layer = ask.menu("layer", options=range(1, config.n_layers + 1)) - 1
    head = ask.menu("head", options=range(1, config.n_heads + 1)) - 1
    with ask.at(MOVED):
        query = ask.word("query", scene.words, unchosen="last")
        key = ask.word("key", scene.words, unchosen="second")
        ask.name("Shift both by")
        moved = ask.slide("moved")
    return Choices(layer, head, query, key, moved)


def find(scene: Scene, choices: Choices) -> Found:
    """The scores of the last word's query and the second one's key, unless others are chosen."""
    read, last = reading(scene.words, scene.switches), len(scene.words) - 1
    query = last if choices.query is None else choices.query
    key = min(1, last) if choices.key is None else choices.key
    pair = Pair(scene.words[query], scene.words[key], query, key, choices.moved)
    found = meeting(read, choices.layer, choices.head, query, key)
    return Found(scene, choices, pair, found, found.scores(pair.n), tuple(read.unknown))


def sheet(found: Found, look: Look) -> Sheet:
    """The arrows on the left, the scores at all positions on the right, the chosen positions framed."""
    about, (left, right) = SCHEMES["rotary"].about, look.columns((1, 1))
    pair, is_scaled = found.pair, found.scene.switches.config.scale
    here, there = (float(found.scores[at]) for at in ((pair.query, pair.key), pair.shifted))
    return Sheet(
        answer=at_place(
            f"layer {found.choices.layer + 1}, head {found.choices.head + 1}", answer(pair, here, there)
        ),
        unknown=found.unknown,
        parts=(
            Controls(MOVED),
            Columns(((_arrows(found, left),), (_everywhere(found, right),))),
            Formula(about.formula, about.source),
            Text(told(pair, there, is_scaled=is_scaled)),
        ),
    )


def _arrows(found: Found, look: Look) -> Shown:
    pair, meets = found.pair, found.meeting
    turns = radians_per_word(len(meets.q))
    unit = " per word" if len(turns) <= FEW_PAIRS else ""
    words = found.scene.plain
    of = [named(words, at) for at in (pair.query, pair.key)]
    q, k = meets.pairs(*pair.shifted)
    picture = rotary_pairs(
        q,
        k,
        before=meets.pairs(pair.query, pair.key),
        parts=meets.parts(*pair.shifted),
        title=f"Rotated pairs of dimensions, query of {of[0]}, key of {of[1]}",
        titles=[f"{math.degrees(angle):.2g}°{unit}" for angle in turns],
        names=(f"query of {words[pair.query]}", f"key of {words[pair.key]}"),
        theme=look.theme,
        size=look.room(CIRCLES),
    )
    return Shown("pairs", picture)


def _everywhere(found: Found, look: Look) -> Shown:
    picture = scores(
        found.scores,
        [str(at) for at in range(1, found.pair.n + 1)],
        title=TITLE,
        short="Rotary scores",
        theme=look.theme,
        selected=found.pair.shifted,
        size=look.room(MATRIX),
    )
    return Shown("everywhere", picture)


def answer(pair: Pair, here: float, there: float) -> str:
    """The score of the two words where they stand and where they are shifted to."""
    score = f"The score of the query of *{pair.query_word}* and the key of *{pair.key_word}* is"
    where = f"positions {pair.query + 1} and {pair.key + 1}"
    if not pair.moved:
        return f"{score} {two_decimals(here)} at {where}."
    query, key = pair.shifted
    return (
        f"{score} {two_decimals(here)} at {where} and {two_decimals(there)} at positions {query + 1} and "
        f"{key + 1}: the two scores differ by {distance(abs(here - there))}."
    )


def told(pair: Pair, there: float, *, is_scaled: bool) -> str:
    """What the score is made of, and why it stays."""
    scaled = "q·k/√d_head" if is_scaled else "q·k"
    before = " The thin arrows are those before the shift." if pair.moved else ""
    return (
        f"The score {scaled} = **{two_decimals(there)}** is the sum of the numbers under the circles."
        f"{before} A shift rotates both arrows of a pair by the same angle, so the angle between them stays, "
        "and every diagonal of the matrix has one colour."
    )


def questions(found: Found) -> tuple[Question | None, ...]:
    """What a shift of both words does to their score."""
    pair = found.pair
    moved = pair.moved or USUAL
    there = found.scores[pair.query + moved, pair.key + moved]
    by = float(there - found.scores[pair.query, pair.key])
    names = told_apart(found.scene.words)
    words = (names[pair.query], names[pair.key])
    return (score_after_shift(words, (pair.query, pair.key), moved, by),)


def program(found: Found) -> Program:
    """The scores at all positions."""
    scene, choices, pair = found.scene, found.choices, found.pair
    about = subject(scene.words, scene.switches, layer=choices.layer, head=choices.head)
    return Program(lambda: rotary_program(about, pair.query, pair.key, pair.n))


VIEW = View(
    sheet=five(ask=ask, find=find, sheet=sheet, questions=questions, program=program),
    sentence=OVEN,
    switches=OF_THE_WEIGHTS,
    defaults={"positions": "rotary"},
)
