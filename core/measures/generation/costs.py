"""Costs of learning from a text and of writing it: operations, bytes kept, and time."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal, get_args

import numpy as np
import pandas as pd
import torch
from jaxtyping import Float, Int
from torch import Tensor

from core.arrays import array_of
from core.decoding import DecodingState, LanguageModel, start_text
from core.device import device_of
from core.measures.distance import costs
from core.measures.distance.long_range import TRANSFORMER
from core.measures.distance.timing import Timing, timed
from core.measures.generation.writing import RECURRENT
from core.model.config import ModelConfig
from core.model.models import Transformer
from core.model.recurrent import LSTMStep, Network, RecurrentConfig, RecurrentLanguageModel
from core.model.trace import Trace
from core.text import language

QUANTITIES: Mapping[str, tuple[str, ...]] = {"RNN": ("hidden",), "LSTM": tuple(reversed(LSTMStep._fields))}
"""Quantities that a recurrent model records for every word, by trace name; the first is its output."""

GATES = tuple(name for name in LSTMStep._fields if name.endswith("_gate"))
"""Names of the gates, which lie between 0 and 1; the others may be negative."""


@torch.inference_mode()
def attended(model: Transformer, words: Sequence[str]) -> Float[np.ndarray, "layer head query key"]:
    """Return a Transformer's attention while it writes: row t is of the step after word t."""
    trace = Trace(keep=["blocks.*.attention.pattern"])
    model(language.encode(words).tokens.to(device_of(model)), trace=trace)
    return array_of(torch.stack([pattern[0] for pattern in trace.values()]))


@torch.inference_mode()
def remembered_states(
    model: RecurrentLanguageModel, words: Sequence[str]
) -> dict[str, Float[np.ndarray, "layer word unit"]]:
    """Return everything that a recurrent model computes at each word, by its name in `QUANTITIES`."""
    trace = Trace()
    model(language.encode(words).tokens.to(device_of(model)), trace=trace)
    layers = range(model.config.n_layers)
    return {
        name: array_of(torch.stack([trace[f"layers.{layer}.{name}"][0] for layer in layers]))
        for name in QUANTITIES[model.config.network.upper()]
    }


Use = Literal["training", "writing"]
USES: tuple[Use, ...] = get_args(Use)

PASSES_OF_TRAINING = 2
"""One pass over the text, and one back."""

BYTES = 4

STATES: Mapping[Network, int] = {"rnn": 1, "lstm": 2}
"""Number of states that a layer passes on: an LSTM has a cell beside its hidden state."""


def serial_operations(writer: str, use: Use, n: int, *, n_given: int = 1, n_layers: int) -> int:
    """Return a writer's serial operations on a text of `n` words, `n_given` of them given.

    One operation is the state of one word in one layer, or all states of an attention layer (CS 224N note,
    Figure 1). Training takes a pass over all words but the last, and as many operations back. Writing reads
    the given words in one pass, and then each word but the last; 0 < `n_given` < `n`.
    """
    if use == "training":
        return PASSES_OF_TRAINING * _in_one_pass(writer, n - 1, n_layers)
    return _in_one_pass(writer, n_given, n_layers) + (n - n_given - 1) * n_layers


def _in_one_pass(writer: str, n: int, n_layers: int) -> int:
    count = costs.attention_serial_operations if writer == TRANSFORMER else costs.recurrent_serial_operations
    return int(count(n, n_layers)[-1, -1])


def serial_table(lengths: Iterable[int], *, n_given: int, n_layers: int) -> pd.DataFrame:
    """Return serial operations: columns words, use, network (`recurrent` or Transformer) and operations."""
    kinds = {"recurrent": next(iter(RECURRENT)), TRANSFORMER: TRANSFORMER}
    rows = [
        (n, use, kind, serial_operations(writer, use, n, n_given=min(n_given, n - 1), n_layers=n_layers))
        for n in lengths
        for use in USES
        for kind, writer in kinds.items()
        if use == "training" or n > n_given
    ]
    return pd.DataFrame(rows, columns=["words", "use", "network", "operations"])


def cache_bytes(config: ModelConfig, n: int) -> int:
    """Return bytes of the keys and values of `n` words; heads that share them store them once."""
    return BYTES * 2 * config.n_layers * config.n_key_heads * config.d_head * n


def kept_bytes(config: ModelConfig | RecurrentConfig, n: int) -> int:
    """Return the bytes that a model keeps after reading `n` words."""
    if isinstance(config, RecurrentConfig):
        return BYTES * STATES[config.network] * config.n_layers * config.d_model
    return cache_bytes(config, n)


def sharing(config: ModelConfig) -> dict[str, ModelConfig]:
    """Return this model with grouped-query (Ainslie 2023) and multi-query attention (Shazeer 2019)."""
    found = {}
    if config.n_heads > 2 and config.n_heads % 2 == 0:
        found["grouped-query"] = replace(config, n_kv_heads=config.n_heads // 2)
    if config.n_heads > 1:
        found["multi-query"] = replace(config, n_kv_heads=1)
    return found


def memory_table(
    configs: Mapping[str, ModelConfig | RecurrentConfig], lengths: Iterable[int]
) -> pd.DataFrame:
    """Return the bytes kept by each model, by length: columns words, network and bytes."""
    rows = [(n, name, kept_bytes(one, n)) for n in lengths for name, one in configs.items()]
    return pd.DataFrame(rows, columns=["words", "network", "bytes"])


LENGTHS = (8, 16, 32, 64, 128, 255)
"""Numbers of words before the timed one: with it the longest text has 256."""

KEPT, ANEW = TRANSFORMER, "no cache"
"""Names of the Transformer with kept keys and values, and without."""

MOST_SECONDS = 0.1
"""Greatest number of seconds for each point of a curve: all of them take some seconds."""


def word_times(
    models: Mapping[str, LanguageModel],
    *,
    lengths: Sequence[int] = LENGTHS,
    most_seconds: float = MOST_SECONDS,
) -> Iterator[Timing]:
    """Yield the seconds in which each model reads one more word; Transformers both `KEPT` and `ANEW`."""
    for words in lengths:
        chance = torch.Generator().manual_seed(words + 1)
        tokens = torch.randint(len(language.vocabulary()), (1, words + 1), generator=chance)
        for name, decoding in _begun(models, tokens[:, :-1]):
            run = _reading(decoding, tokens[:, -1])
            device = device_of(models[TRANSFORMER if name == ANEW else name])
            yield timed(run, name, words, device, most_seconds=most_seconds)


@torch.inference_mode()
def _begun(
    models: Mapping[str, LanguageModel], tokens: Int[Tensor, "1 position"]
) -> list[tuple[str, DecodingState]]:
    begun = [(name, start_text(model, tokens)) for name, model in models.items() if name != TRANSFORMER]
    both = ((name, start_text(models[TRANSFORMER], tokens, cached=name == KEPT)) for name in (KEPT, ANEW))
    return [*begun, *both]


def _reading(decoding: DecodingState, word: Int[Tensor, "1"]) -> Callable[[], object]:
    @torch.inference_mode()
    def run() -> None:
        decoding.step(word)

    return run
