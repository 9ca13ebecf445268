"""The fixed vector of a recurrent translator: what is handed over, what a probe tells of it, and contexts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import torch
from jaxtyping import Float

from core.arrays import array_of
from core.learning.probes import content_words
from core.measures.translation.lengths import table_of
from core.model.recurrent_pair import RecurrentEncoderDecoder, RecurrentPairConfig
from core.model.trace import Trace
from core.sources.probes import load_probe
from core.sources.translators import load_translator
from core.text import language, translation
from core.text.language import START, UNKNOWN

RECORDED = ("encoder.layers.0.vector", "encoder.layers.0.vector_cell")
"""What the one layer of the encoder ends with: h, and the cell of an LSTM."""


@dataclass(frozen=True, eq=False)
class FixedVector:
    """The encoder's last state; `cell` is that of an LSTM, and has no numbers in an RNN."""

    hidden: Float[np.ndarray, "d_model"]
    cell: Float[np.ndarray, "d_cell"]


@torch.inference_mode()
def fixed_vector(config: RecurrentPairConfig, words: Sequence[str]) -> FixedVector:
    """All that a decoder without attention gets of a sentence.

    Raises UnavailableError where there is no such translator.
    """
    loaded = load_translator(config, words)
    trace = Trace(keep=list(RECORDED))
    assert isinstance(loaded.model, RecurrentEncoderDecoder), "the configuration says so"
    loaded.model.encode(loaded.source, trace=trace)
    found = [array_of(trace[name])[0] for name in RECORDED if name in trace]
    return FixedVector(found[0], found[1] if len(found) > 1 else np.zeros(0, dtype=np.float32))


@torch.inference_mode()
def contexts(
    config: RecurrentPairConfig, words: Sequence[str], target: Sequence[str]
) -> Float[np.ndarray, "step d_model"]:
    """The context of every step that writes a word of `target`: the weighted mean of the encoder's states.

    `config` has attention. Raises UnavailableError where there is no such translator.
    """
    loaded, known = load_translator(config, words), translation.vocabulary()
    fed = (START, *(word if word in known else UNKNOWN for word in target[:-1]))
    trace = Trace(keep=["context"])
    loaded.model((loaded.source, known.encode(fed).to(loaded.source.device)), trace=trace)
    return array_of(trace["context"])[0]


@torch.inference_mode()
def told(config: RecurrentPairConfig, words: Sequence[str]) -> Float[np.ndarray, "word"]:
    """The probability that the probe gives to each word of the sentence; not a number for an unknown one.

    Raises UnavailableError where there is no such translator or no probe of it.
    """
    probe, _ = load_probe(config)
    vector = fixed_vector(config, words)
    both = torch.from_numpy(np.concatenate([vector.hidden, vector.cell]))[None]
    probabilities = array_of(probe(both.to(next(probe.parameters()).device)).sigmoid())[0]
    encoding = language.encode(words)
    found = probabilities[encoding.tokens[0].tolist()].astype(np.float64)
    found[list(encoding.unknown)] = np.nan
    return found


def table_by_distance(translators: Mapping[str, RecurrentPairConfig]) -> pd.DataFrame:
    """The share of content words that probes tell, by how many words follow, of all probes that are there."""
    return table_of(lambda config: load_probe(config)[1].told.by_distance, translators)


def content(words: Sequence[str]) -> tuple[bool, ...]:
    """Which words of a sentence are content words, those that probes are judged by."""
    return tuple(word in content_words() for word in words)
