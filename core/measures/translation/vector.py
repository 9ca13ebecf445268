"""The fixed vector between two networks, and its losses for long sentences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import hypot

import numpy as np
import pandas as pd
import torch
from jaxtyping import Float

from core.arrays import array_of
from core.learning.checkpoints import Record
from core.learning.evaluation.translation import LENGTHS, SENTENCES, Share
from core.learning.probes.probe import WordProbe
from core.measures.findings import stored_measurement
from core.model.recurrent_pair import RecurrentEncoderDecoder
from core.model.trace import Trace
from core.sources.trained import LoadedTranslator
from core.text import translation
from core.text.language import START, UNKNOWN

RECORDED = ("encoder.layers.0.vector", "encoder.layers.0.vector_cell")
"""The last states of the encoder's one layer: h, and the cell of an LSTM."""


@dataclass(frozen=True, eq=False)
class FixedVector:
    """The encoder's last state; `cell` is an LSTM's, and is empty for an RNN."""

    hidden: Float[np.ndarray, "d_model"]
    cell: Float[np.ndarray, "d_cell"]


@torch.inference_mode()
def fixed_vector(loaded: LoadedTranslator) -> FixedVector:
    """Return all that a decoder without attention receives of a sentence."""
    trace = Trace(keep=list(RECORDED))
    assert isinstance(loaded.model, RecurrentEncoderDecoder), "only recurrent pairs have a fixed vector"
    loaded.model.encode(loaded.source, trace=trace)
    found = [array_of(trace[name])[0] for name in RECORDED if name in trace]
    return FixedVector(found[0], found[1] if len(found) > 1 else np.zeros(0, dtype=np.float32))


@torch.inference_mode()
def contexts(loaded: LoadedTranslator, target: Sequence[str]) -> Float[np.ndarray, "step d_model"]:
    """Return the context of every step while a recurrent translator with attention writes `target`."""
    known = translation.vocabulary()
    fed = (START, *(word if word in known else UNKNOWN for word in target[:-1]))
    trace = Trace(keep=["context"])
    loaded.model((loaded.source, known.encode(fed).to(loaded.source.device)), trace=trace)
    return array_of(trace["context"])[0]


@torch.inference_mode()
def word_probabilities(loaded: LoadedTranslator, probe: WordProbe) -> Float[np.ndarray, "word"]:
    """Return the probe's probability of each word of the sentence; not a number for an unknown one."""
    vector = fixed_vector(loaded)
    both = torch.from_numpy(np.concatenate([vector.hidden, vector.cell]))[None]
    probabilities = array_of(probe(both.to(next(probe.parameters()).device)).sigmoid())[0]
    found = probabilities[loaded.source[0].tolist()].astype(np.float64)
    found[list(loaded.unknown)] = np.nan
    return found


Span = tuple[int, int]

MOST_ERRORS = 2
"""Number of standard errors above which a difference counts."""

DIFFERENT_SHORTEST = 115
"""Number of distinct test sentences in the shortest group; in longer groups all are distinct."""

ONE_OF_ALL = "translation-lstm-dot"
"""A translator that represents all in statements about their training data, which are shared."""

NEAR_TO_TRAINING = "test sentences with a neighbour in training, of so many"


@dataclass(frozen=True)
class Difference:
    """The difference of two shares, with its standard error."""

    value: float
    error: float

    @property
    def sign(self) -> int:
        """1 if the first share is larger beyond chance, −1 if the second is, or 0."""
        if abs(self.value) <= MOST_ERRORS * self.error:
            return 0
        return 1 if self.value > 0 else -1


def difference(first: Share, second: Share) -> Difference:
    """Return `first` − `second`; squared errors add up as for independent samples."""
    return Difference(first.value - second.value, hypot(first.error, second.error))


def by_source_length(record: Record) -> Mapping[Span, Share]:
    """Return the share of test sentences translated right, for each group of source lengths recorded."""
    known = record.accuracies
    names = {span: f"sentences {span[0]}–{span[1]}" for span in LENGTHS}
    return {
        span: Share(round(known[name] * SENTENCES), SENTENCES)
        for span, name in names.items()
        if name in known
    }


def table_by_length(records: Mapping[str, Record]) -> pd.DataFrame:
    """Return columns model, words (the middle), first, last, right, n, share, low and high (± 1 error)."""
    rows = []
    for name, record in records.items():
        for (first, last), share in by_source_length(record).items():
            low, high = share.value - share.error, share.value + share.error
            rows.append((name, (first + last) / 2, first, last, share.right, share.n, share.value, low, high))
    columns = ["model", "words", "first", "last", "right", "n", "share", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def share_near_to_training() -> Share | None:
    """Return the test sentences with a neighbour in training; None if these were not counted."""
    found = stored_measurement(ONE_OF_ALL, NEAR_TO_TRAINING)
    return None if found is None else Share(*map(int, found))


def rule_of_three_bound(n: int) -> float:
    """Return the share still possible with 95 % confidence after `n` failures in `n` (rule of three)."""
    return 3 / n
