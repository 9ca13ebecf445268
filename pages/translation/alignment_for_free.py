"""Alignment for free: what four score functions attend to, side by side, and what each costs and is worth."""

import numpy as np
import pandas as pd
import streamlit as st

from core.learning.collection.translators import name_of_pair
from core.learning.evaluation.translation import LENGTHS
from core.measures.translation.scoring import (
    Judged,
    agreeing,
    aligned,
    chance,
    cost,
    judged,
    judged_by_place,
    pair_of,
    same_place,
)
from core.measures.translation.writing import Strategy, write
from core.model.alignment import SCORE_FUNCTIONS
from core.programs.translation import alignments_program
from core.sources import UnavailableError
from core.sources.absent import absent
from pages.controls.memory import remembered
from pages.controls.picture import picture, theme
from pages.controls.screen import room
from pages.controls.weights import note_absent
from pages.shell import Program, Scene
from pages.translation import alignment_said as says
from pages.translation.alignment_said import BY_PLACE
from pages.translation.kinds import CROSS, ROWS
from pages.translation.said import Said, said
from viz.alignments import Aligned, alignments, describe_alignments
from viz.units import per_cent

Matrices = dict[str, np.ndarray]

PLAIN = "dot"
"""The score function whose model translates what the rules cannot."""

NOTHING = "–"
"""Stands in the table where there is nothing to count."""


def alignment_for_free(scene: Scene) -> Program:
    """Four matrices on one target, then a table of what is known of the four models."""
    here = said(scene)
    target, links = _target(here)
    found = _aligned(here.plain, target)
    missing = absent(name_of_pair(pair_of(score)) for score in SCORE_FUNCTIONS)
    if not found:
        raise UnavailableError(missing)
    note_absent(scene.notes, missing)
    _picture(here, target, links, found)
    st.markdown(_claim(here, target, found))
    _table(list(found), len(target), len(here.plain))
    return Program(
        lambda: alignments_program(list(found), here.plain, target),
        "which word of the source each word of the translation attends to most, and with what weight",
    )


def _target(here: Said) -> tuple[tuple[str, ...], frozenset[tuple[int, int]]]:
    """The translation that all four are given and its links, (target, source): by the rules if they can."""
    translation = here.reference.translation
    if translation is not None:
        return translation.words, frozenset((to, of) for of, to in translation.alignment)
    written = _written(here.plain)
    st.caption(
        "All four are given the greedy translation of the model with dot-product attention, for the rules "
        "have none: no links are outlined."
    )
    return written, frozenset()


@remembered(64)
def _written(words: tuple[str, ...]) -> tuple[str, ...]:
    written = write(pair_of(PLAIN), words, Strategy())
    return written.sentence or written.words


def _aligned(words: tuple[str, ...], target: tuple[str, ...]) -> Matrices:
    """The weights of every model that is there."""
    found = {}
    for score in SCORE_FUNCTIONS:
        try:
            found[score] = _weights(score, words, target)
        except UnavailableError:
            continue
    return found


@remembered(256)
def _weights(score: str, words: tuple[str, ...], target: tuple[str, ...]) -> np.ndarray:
    return aligned(score, words, target)


def _picture(here: Said, target: tuple[str, ...], links: frozenset[tuple[int, int]], found: Matrices) -> None:
    panels = [
        Aligned(SCORE_FUNCTIONS[score].about.title, weights, not SCORE_FUNCTIONS[score].softmax)
        for score, weights in found.items()
    ]
    picture(
        alignments(panels, target, here.labels, theme=theme(), exact=links, size=room()),
        key="alignments",
        alt=describe_alignments(panels, target, here.labels, exact=links),
        table=lambda: _numbers(here.labels, target, found),
    )


def _numbers(sources: tuple[str, ...], target: tuple[str, ...], found: Matrices) -> pd.DataFrame:
    """A row for each word of the translation and each of the source: the weights of every model."""
    places = [(t, s) for t in range(len(target)) for s in range(len(sources))]
    names = {
        "position": [t + 1 for t, _ in places],
        "word": [target[t] for t, _ in places],
        "source position": [s + 1 for _, s in places],
        "source word": [sources[s] for _, s in places],
    }
    return pd.DataFrame(names | {score: weights.ravel() for score, weights in found.items()})


def _claim(here: Said, target: tuple[str, ...], found: Matrices) -> str:
    """What nobody taught, over the test sentences and in this one."""
    hits = {score: judged(score).hits for score in found}
    known = {score: share for score, share in hits.items() if not np.isnan(share)}
    claimed = says.claim(known, by_place=judged_by_place().hits, at_random=chance())
    return f"{claimed} {_in_this_sentence(here, target, found)} {says.unlike_others()} {ROWS[CROSS]}"


def _in_this_sentence(here: Said, target: tuple[str, ...], found: Matrices) -> str:
    translation = here.reference.translation
    if translation is None:
        return ""
    every = found | {BY_PLACE: same_place(len(target), len(here.labels))}
    counts = {name: agreeing(weights, translation.alignment, target) for name, weights in every.items()}
    n = next(iter(counts.values()))[1]
    return says.in_this_sentence({name: right for name, (right, _) in counts.items()}, n)


def _table(scores: list[str], n_targets: int, n_sources: int) -> None:
    """Formula, cost and worth of every score function."""
    first, last = LENGTHS[-1]
    heads = (
        *("score function", "formula", "parameters", "× for one pair", "× for this sentence"),
        *(
            "sentences right",
            f"at {first}–{last} words",
            "error rate, all words",
            "error rate, content words",
        ),
    )
    lines = ["| " + " | ".join(heads) + " |", "|---" * 2 + "|--:" * (len(heads) - 2) + "|"]
    for score in scores:
        about = SCORE_FUNCTIONS[score].about
        one, whole = cost(score), cost(score, n_targets, n_sources)
        costs = (f"{n:,}" for n in (one.parameters, one.multiplications, whole.multiplications))
        cells = (about.title, f"${about.formula}$", *costs, *_worth(judged(score)))
        lines.append("| " + " | ".join(cells) + " |")
    placed = judged_by_place()
    errors = (per_cent(placed.error), per_cent(placed.content_error))
    baseline = (f"*baseline: {BY_PLACE}*", *(NOTHING,) * (len(heads) - len(errors) - 1), *errors)
    lines.append("| " + " | ".join(baseline) + " |")
    with st.container(key="scores_scrolled"):
        st.markdown("\n".join(lines))
    places = dict.fromkeys(SCORE_FUNCTIONS[score].about.source for score in scores)
    st.caption(
        "$q$ is a state of the decoder, $h_j$ one of the encoder; a softmax over $j$ follows, but for "
        "*linear*. ×: multiplications, for one pair of states and for all pairs of this sentence, where the "
        "matrices are applied once to each state. Error rate: 1 − 2 · links found rightly / (links found + "
        "links by the rules); found is one link for each word of the translation, to the source word that it "
        f"attends to most. Formulas: {'; '.join(places)}."
    )


def _worth(known: Judged) -> tuple[str, ...]:
    shares = (known.right, known.right_longest, known.error, known.content_error)
    return tuple("not measured" if np.isnan(share) else per_cent(share) for share in shares)
