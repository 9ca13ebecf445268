"""What the view of the bottleneck says: every number in its sentences is computed."""

from collections.abc import Mapping, Sequence
from math import ceil

import numpy as np
import pandas as pd

from core.learning.evaluation.translation import LENGTHS, Share
from core.learning.probes import Told
from core.measures.translation.lengths import DIFFERENT_SHORTEST, highest_of_none
from pages.contract.sheet import Fold, Remark
from viz.text import counted
from viz.units import per_cent

CONFIDENCE = "95 %"
EVEN = 0.5
"""The probability above which a word counts as told."""

NOT_MEASURED = "No translator that is there has been measured by the length of its sentences yet."


def how_measured(table: pd.DataFrame, near: Share | None) -> Fold:
    """What points and bars are, and how many test sentences have a neighbour in training if that is known."""
    n = int(table["n"].iloc[0])
    none = (
        f" Where none of {n} is right the bar has no length, and with {CONFIDENCE} confidence the true "
        f"share is below {ceil(1000 * highest_of_none(n)) / 10:g} %."
        if (table["right"] == 0).any()
        else ""
    )
    like_learned = (
        f" {near.right} of {near.n:,} test sentences have a sentence in training that differs in one word."
        if near is not None
        else ""
    )
    first, last = LENGTHS[0]
    told = (
        f"*Alone* has the fixed vector and nothing else of the source. Each point is {n} sentences of one "
        f"construction that training never had ({DIFFERENT_SHORTEST} of them different at {first}–{last} "
        "words, and all at more), translated greedily, every word right; bars are one standard error, of the "
        f"sentences and not of another training.{none} All models have learned from the same sentences."
        f"{like_learned}"
    )
    return Fold("How this was measured", (Remark(told),))


def how_probed(found: Mapping[str, Told]) -> Fold:
    """What a probe is, and how often it is wrong; there is one at least."""
    alarms = ", ".join(f"{name} {per_cent(told.false_alarms.value)}" for name, told in found.items())
    right = ", ".join(f"{name} {per_cent(told.right.value)}" for name, told in found.items() if told.right.n)
    base = next(iter(found.values())).base_rate
    explained = (
        "A probe is one linear map from the vector (of an LSTM with its cell) to the logit of “this word was "
        "in the sentence”, for each word of the language, trained on training sentences and measured on test "
        f"sentences. A word is told if its probability is above {per_cent(EVEN)}. False alarms, of the "
        f"content words that a sentence does not have: {alarms}. Right of all words told: {right}; of words "
        f"named at random {per_cent(base)} would be. The decoder may find more than a linear map."
    )
    return Fold("How this was probed", (Remark(explained),))


def told(found: Mapping[str, np.ndarray], is_content: Sequence[bool], threshold: float = EVEN) -> str:
    """How many content words of this sentence are told from each vector."""
    bars = "Bars are the probabilities, in per cent, that the probe of each vector gives to the words typed."
    known = ~np.isnan(next(iter(found.values()))) & np.array(is_content)
    n = int(known.sum())
    if not n:
        return bars
    listed = "; ".join(
        f"**{name}** {int((values[known] > threshold).sum())}" for name, values in found.items()
    )
    return f"{bars} Told, above {per_cent(threshold)}, of {counted(n, 'content word')}: {listed}."


def contexts(network: str, of_steps: np.ndarray) -> str:
    """What the two maps show."""
    change = np.abs(np.diff(of_steps, axis=0)).mean() if len(of_steps) > 1 else 0.0
    return (
        f"Without attention the {network}'s decoder begins with one vector, and whatever word it is to write "
        "it gets nothing else of the source: all rows are equal. With attention every step has a context "
        "$c_t$ of its own, a weighted mean of the encoder's states: from one step to the next its numbers "
        f"change by {change:.2f} on average."
    )


def vector(network: str, n_words: int, n_numbers: int) -> str:
    """How much goes through the bottleneck."""
    parts = "h and the cell" if network == "LSTM" else "h"
    return (
        f"**The fixed vector**: {n_numbers} numbers ({parts}), as many for {counted(n_words, 'word')} as for "
        "any other sentence. They are all that the decoder without attention gets."
    )
