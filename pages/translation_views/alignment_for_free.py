"""Alignment for free: what four score functions attend to, side by side, and what each costs and is worth."""

import numpy as np
import pandas as pd
import streamlit as st

from core.alignment import SCORE_FUNCTIONS
from core.analysis.translation.scoring import Judged, agreeing, aligned, chance, cost, judged, pair_of
from core.analysis.translation.writing import Strategy, write
from core.learning.evaluation.translation import LENGTHS
from core.learning.weights import UnavailableError
from core.programs.translation import alignments_program
from pages.controls.memory import remembered
from pages.controls.picture import picture, theme
from pages.controls.screen import room
from pages.shell import Program, Scene
from pages.translation_views.said import Said, said
from viz.alignments import Aligned, alignments, describe_alignments
from viz.text import counted
from viz.units import per_cent

Matrices = dict[str, np.ndarray]

PLAIN = "dot"
"""The score function whose model translates what the rules cannot."""

HALF = 0.5


def alignment_for_free(scene: Scene) -> Program:
    """Four matrices on one target, then a table of what is known of the four models."""
    here = said(scene)
    target, links = _target(here)
    found = _aligned(here.plain, target)
    if not found:
        raise UnavailableError(
            "No translator with attention has been trained yet: `python -m core.learning.collection`."
        )
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


@remembered(64)
def _aligned(words: tuple[str, ...], target: tuple[str, ...]) -> Matrices:
    """The weights of every model that is there."""
    found = {}
    for score in SCORE_FUNCTIONS:
        try:
            found[score] = aligned(score, words, target)
        except UnavailableError:
            continue
    return found


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
    """What nobody taught: the share of content words that attend most to what they translate."""
    hits = {score: judged(score).hits for score in found}
    known = {score: share for score, share in hits.items() if not np.isnan(share)}
    told = ", ".join(f"**{score}** {per_cent(share)}" for score, share in known.items())
    shares = (
        " Content words (nouns, names, adjectives, verbs) that attend most to a word which they translate, "
        f"of all in the test sentences: {told}; source words drawn at random {per_cent(chance())}."
    )
    return (
        "Training asked for the next word and never told which words belong together."
        f"{_aligns([score for score, share in known.items() if share > HALF])}{shares if known else ''}"
        f"{_in_this_sentence(here, target, found)} *Linear* has no softmax: its weights may be negative and "
        "sum to anything, so they have colours of their own, and the largest in size counts."
    )


def _aligns(scores: list[str]) -> str:
    """The claim, of those score functions for which it is so."""
    if not scores:
        return ""
    named = " and ".join(filter(None, [", ".join(scores[:-1]), scores[-1]]))
    functions = "score function" if len(scores) == 1 else "score functions"
    return f" **And yet most content words align by themselves** with the {functions} {named}."


def _in_this_sentence(here: Said, target: tuple[str, ...], found: Matrices) -> str:
    translation = here.reference.translation
    if translation is None:
        return ""
    counts = {score: agreeing(weights, translation.alignment, target) for score, weights in found.items()}
    n = next(iter(counts.values()))[1]
    listed = ", ".join(f"{score} {right}" for score, (right, _) in counts.items())
    return f" In this sentence, of {counted(n, 'content word')}: {listed}." if n else ""


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
