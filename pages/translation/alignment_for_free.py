"""Alignment for free: what four score functions attend to, side by side, and what each costs and is worth."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from core.learning.collection.translators import name_of_pair
from core.measures.translation.scoring import (
    Judged,
    agreeing,
    aligned,
    chance,
    judged,
    judged_by_place,
    pair_of,
    same_place,
)
from core.measures.translation.writing import Strategy
from core.model.alignment import SCORE_FUNCTIONS
from core.programs.translation import alignments_program
from core.sources import UnavailableError
from core.sources.absent import absent
from core.sources.translators import load_translator, record_of_translator
from core.text.translation import Translation
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Notice, Remark, Sheet, Shown, Text
from pages.controls.memory import remembered
from pages.shell import Program, Scene, View
from pages.shell.five import five
from pages.shell.loading import those_there
from pages.translation import alignment_said as says
from pages.translation import questions as expected
from pages.translation.alignment_said import BY_PLACE
from pages.translation.alignment_table import score_table
from pages.translation.kinds import CROSS, ROWS
from pages.translation.sentences import SEVERAL
from pages.translation.source_sentence import SourceSentence, said
from pages.translation.translate import written
from viz.alignments import Aligned, alignments

Matrices = Mapping[str, Float[np.ndarray, "target source"]]

PLAIN = "dot"
"""The score function whose model translates what the rules cannot."""

WRITTEN = (
    "All four are given the greedy translation of the model with dot-product attention, for the rules have "
    "none: no links are outlined."
)


@dataclass(frozen=True)
class Found:
    """The translation that all score functions are given, their weights, and what records say of them.

    `missing` names the models that are not there.
    """

    here: SourceSentence
    target: tuple[str, ...]
    weights: Matrices
    known: Mapping[str, Judged]
    by_place: Judged
    at_random: float
    missing: str = ""

    @property
    def exact(self) -> Translation | None:
        """The translation by the rules, if they have one."""
        return self.here.reference.translation

    @property
    def hits(self) -> dict[str, float]:
        """The shares of content words that attend most to a word which they translate, where measured."""
        return {score: one.hits for score, one in self.known.items() if not np.isnan(one.hits)}


def find(scene: Scene, choices: None) -> Found:
    """The weights of every model that is there. Raises UnavailableError where none is."""
    here = said(scene)
    target = _target(here)
    weights = _aligned(here.plain, target)
    missing = absent(name_of_pair(pair_of(score)) for score in SCORE_FUNCTIONS)
    if not weights:
        raise UnavailableError(missing)
    known = {score: judged(record_of_translator(pair_of(score))) for score in weights}
    return Found(here, target, weights, known, judged_by_place(), chance(), missing)


def _target(here: SourceSentence) -> tuple[str, ...]:
    """The translation by the rules if they can, else that of one of the models."""
    if here.reference.translation is not None:
        return here.reference.translation.words
    found = written(pair_of(PLAIN), here.plain, Strategy())
    return found.sentence or found.words


def _aligned(words: tuple[str, ...], target: tuple[str, ...]) -> Matrices:
    return those_there(lambda score: _weights(score, words, target), {one: one for one in SCORE_FUNCTIONS})


@remembered()
def _weights(score: str, words: tuple[str, ...], target: tuple[str, ...]) -> np.ndarray:
    return aligned(load_translator(pair_of(score), words), target)


def sheet(found: Found, look: Look) -> Sheet:
    """Four matrices on one target, then a table of what is known of the four models."""
    baselines = {"by_place": found.by_place.hits, "at_random": found.at_random}
    told = (
        says.shares(found.hits, **baselines),
        says.in_this_sentence(*_counts(found)),
        says.unlike_others(),
        ROWS[CROSS],
    )
    return Sheet(
        answer=says.answer(found.hits, **baselines),
        notes=(Notice(found.missing, "warning"),) if found.missing else (),
        below_sentence=found.here.below,
        parts=(
            *(() if found.exact is not None else (Remark(WRITTEN),)),
            _picture(found, look),
            Text(" ".join(filter(None, told))),
            *score_table(found.known, found.by_place, len(found.target), len(found.here.words)),
        ),
    )


def _picture(found: Found, look: Look) -> Shown:
    panels = [
        Aligned(score, SCORE_FUNCTIONS[score].about.title, weights, not SCORE_FUNCTIONS[score].softmax)
        for score, weights in found.weights.items()
    ]
    links = () if found.exact is None else [(to, of) for of, to in found.exact.alignment]
    picture = alignments(
        panels, found.target, found.here.labels, theme=look.theme, exact=frozenset(links), size=look.room()
    )
    return Shown("alignments", picture)


def _counts(found: Found) -> tuple[dict[str, int], int]:
    """How many content words of this sentence attend most to a word that they translate, and of how many."""
    if found.exact is None:
        return {}, 0
    every = {**found.weights, BY_PLACE: same_place(len(found.target), len(found.here.words))}
    counts = {name: agreeing(one, found.exact.alignment, found.target) for name, one in every.items()}
    return {name: right for name, (right, _) in counts.items()}, next(iter(counts.values()))[1]


def questions(found: Found) -> tuple[Question | None, ...]:
    """Where alignments come from."""
    return (expected.who_aligns(),)


def program(found: Found) -> Program:
    """A program for the four alignments of the translation."""
    return Program(
        lambda: alignments_program(list(found.weights), found.here.plain, found.target),
        "which word of the source each word of the translation attends to most, and with what weight",
    )


VIEW = View(
    sheet=five(find=find, sheet=sheet, questions=questions, program=program),
    question="Who taught attention which words belong together?",
    **SEVERAL,
)
