"""The fixed vector of a recurrent translator: what is handed over, what a probe tells of it, and contexts."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float

from core.arrays import array_of
from core.learning.probes import WordProbe, content_words
from core.model.recurrent_pair import RecurrentEncoderDecoder
from core.model.trace import Trace
from core.sources.translators import LoadedTranslator
from core.text import translation
from core.text.language import START, UNKNOWN

RECORDED = ("encoder.layers.0.vector", "encoder.layers.0.vector_cell")
"""What the one layer of the encoder ends with: h, and the cell of an LSTM."""


@dataclass(frozen=True, eq=False)
class FixedVector:
    """The encoder's last state; `cell` is that of an LSTM, and has no numbers in an RNN."""

    hidden: Float[np.ndarray, "d_model"]
    cell: Float[np.ndarray, "d_cell"]


@torch.inference_mode()
def fixed_vector(loaded: LoadedTranslator) -> FixedVector:
    """All that a decoder without attention gets of a sentence."""
    trace = Trace(keep=list(RECORDED))
    assert isinstance(loaded.model, RecurrentEncoderDecoder), "of no other is this asked"
    loaded.model.encode(loaded.source, trace=trace)
    found = [array_of(trace[name])[0] for name in RECORDED if name in trace]
    return FixedVector(found[0], found[1] if len(found) > 1 else np.zeros(0, dtype=np.float32))


@torch.inference_mode()
def contexts(loaded: LoadedTranslator, target: Sequence[str]) -> Float[np.ndarray, "step d_model"]:
    """The context of every step that writes a word of `target`: the weighted mean of the encoder's states.

    The translator is recurrent and has attention.
    """
    known = translation.vocabulary()
    fed = (START, *(word if word in known else UNKNOWN for word in target[:-1]))
    trace = Trace(keep=["context"])
    loaded.model((loaded.source, known.encode(fed).to(loaded.source.device)), trace=trace)
    return array_of(trace["context"])[0]


@torch.inference_mode()
def told(loaded: LoadedTranslator, probe: WordProbe) -> Float[np.ndarray, "word"]:
    """The probability that its probe gives to each word of the sentence; not a number for an unknown one."""
    vector = fixed_vector(loaded)
    both = torch.from_numpy(np.concatenate([vector.hidden, vector.cell]))[None]
    probabilities = array_of(probe(both.to(next(probe.parameters()).device)).sigmoid())[0]
    found = probabilities[loaded.source[0].tolist()].astype(np.float64)
    found[list(loaded.unknown)] = np.nan
    return found


def content(words: Sequence[str]) -> tuple[bool, ...]:
    """Whether each word of a sentence is a content word, one that probes are judged by."""
    return tuple(word in content_words() for word in words)
