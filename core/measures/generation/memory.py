"""What a language model has of the words before: a Transformer attends to them, others have a state."""

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from jaxtyping import Float

from core.arrays import array_of
from core.device import device_of
from core.model.models import Transformer
from core.model.recurrent import LSTMStep, RecurrentLanguageModel
from core.model.trace import Trace
from core.text import language

QUANTITIES: Mapping[str, tuple[str, ...]] = {
    "RNN": ("hidden",),
    "LSTM": tuple(reversed(LSTMStep._fields)),
}
"""What a recurrent model records of every word, by its name in a trace; the first is what is read on from."""

GATES = tuple(name for name in LSTMStep._fields if name.endswith("_gate"))
"""Names of the gates, which lie between 0 and 1; the others may be negative."""


@torch.inference_mode()
def attended(model: Transformer, words: Sequence[str]) -> Float[np.ndarray, "layer head query key"]:
    """What a Transformer attends to while it writes: row t is that of the step after word t.

    Words to come are masked, so that rows do not change as the text grows.
    """
    trace = Trace(keep=["blocks.*.attention.pattern"])
    model(language.encode(words).tokens.to(device_of(model)), trace=trace)
    return array_of(torch.stack([pattern[0] for pattern in trace.values()]))


@torch.inference_mode()
def remembered_states(
    model: RecurrentLanguageModel, words: Sequence[str]
) -> dict[str, Float[np.ndarray, "layer word unit"]]:
    """Everything that a recurrent model computes at each word, by its name in `QUANTITIES`."""
    trace = Trace()
    model(language.encode(words).tokens.to(device_of(model)), trace=trace)
    layers = range(model.config.n_layers)
    return {
        name: array_of(torch.stack([trace[f"layers.{layer}.{name}"][0] for layer in layers]))
        for name in QUANTITIES[model.config.network.upper()]
    }
