"""What is said of attention between two languages: how well it aligns words that nobody has linked."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.learning.evaluation.translation import SENTENCES
from core.measures.translation.aligned import n_right, targets_of
from core.measures.translation.scoring import Judged
from core.text.translation import Translation
from pages.contract.predict import exceeds, luck
from pages.controls.prose import literal
from pages.shell import Scene
from pages.translation.kinds import DECODER
from viz.text import counted
from viz.units import per_cent

N_TESTED = 2 * SENTENCES
"""How many sentences error rates are measured on, as in the records of translators."""

RATES = f"**Alignment error rate of every head** (layer.head), in per cent, of {N_TESTED} test sentences"


NO_LINKS_TAUGHT = "Nobody has told the model which words belong together."


def aligned_by(rates: pd.DataFrame, placed: Judged, scene: Scene | None) -> str:
    """Return how the head of a scene aligns content words, against the baseline of the same relative place.

    A recurrent decoder has no heads: then the scene is None.
    """
    row = rates.iloc[0]
    head = "the decoder"
    if scene is not None:
        is_shown = (rates["layer"] == scene.layer + 1) & (rates["head"] == scene.head + 1)
        row, head = rates[is_shown].iloc[0], scene.place
    rate, baseline = float(row["content words"]), placed.content_error
    return (
        f"{head[:1].upper()}{head[1:]} aligns content words {_against(rate, baseline)} relative place: "
        f"error rates {per_cent(rate)} and {per_cent(baseline)}."
    )


def _against(rate: float, baseline: float) -> str:
    """Return how an error rate compares with a baseline, if they differ by more than luck."""
    is_higher = exceeds(rate, baseline, luck(rate, baseline, N_TESTED))
    return {True: "worse than", False: "better than", None: "about as well as"}[is_higher]


def best_aligned(rates: pd.DataFrame) -> str:
    """Return which head aligns content words best, chosen on sentences other than those it is rated on."""
    best = rates[rates["best"]].iloc[0]
    return (
        f"On {SENTENCES} other sentences, layer {best['layer']:.0f}, head {best['head']:.0f} has the lowest "
        f"error rate; on these {N_TESTED} it has {per_cent(best['content words'])}."
    )


def by_place(placed: Judged) -> str:
    """Return a sentence on how well words are aligned without reading any."""
    return (
        "The source word at the same relative place, a baseline without reading, has an error rate of "
        f"{per_cent(placed.content_error)} (content words) and {per_cent(placed.error)} (all words)."
    )


def in_this_sentence(weights: np.ndarray, exact: Translation, head: tuple[int, int] | None) -> str:
    """How many content words attend most to a word that they translate, under a head, counted from 0.

    A recurrent decoder has one, and no name for it: None.
    """
    shown = "the decoder"
    if head is not None:
        shown = f"the head shown, layer {head[0] + 1}, head {head[1] + 1},"
    n, right = len(targets_of(exact, content=True)), n_right(weights, exact, content=True)
    return (
        f"In this translation {shown} attends most to a word which it translates at "
        f"**{right} of {counted(n, 'content word')}**."
    )


def largest(pattern: np.ndarray, queries: Sequence[str], keys: Sequence[str], head: str, kind: str) -> str:
    """The largest weight of a head that attends within one language."""
    query, key = (int(at) for at in np.unravel_index(pattern.argmax(), pattern.shape))
    side = "decoder" if kind == DECODER else "encoder"
    return (
        f"The largest weight of {head.lower()} of the {side} is {pattern[query, key]:.2f}: "
        f"*{literal(queries[query])}* attends to *{literal(keys[key])}*."
    )
