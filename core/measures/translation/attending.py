"""A translator while it writes a translation that it is given: every attention weight, as arrays."""

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

import numpy as np
import torch
from jaxtyping import Float

from core.arrays import array_of
from core.model.trace import Trace
from core.sources.translators import LoadedTranslator
from core.text import translation
from core.text.language import START, UNKNOWN
from core.text.translation import END

Patterns = Float[np.ndarray, "layer head query key"]

RECORDED = {
    "encoder": "encoder.blocks.*.attention.pattern",
    "decoder": "decoder.blocks.*.attention.pattern",
    "cross": "decoder.blocks.*.cross_attention.pattern",
    "alignment": "alignment",
}
"""What a trace keeps for each kind of attention; a recurrent pair has nothing but its alignment."""


NOTHING: Patterns = np.zeros((0, 1, 1, 1), dtype=np.float32)


@dataclass(frozen=True, eq=False)
class Attending:
    """The weights of every head. `fed` is what the decoder reads, `written` what it is to write after each.

    Row t of `cross` is the step at which word t of `written` is chosen. An array without layers is of a model
    that has no such attention. `log_probabilities` are those of the words written, in nats.
    """

    fed: tuple[str, ...]
    written: tuple[str, ...]
    encoder: Patterns
    decoder: Patterns
    cross: Patterns
    log_probabilities: Float[np.ndarray, "target"]


@torch.inference_mode()
def attending(loaded: LoadedTranslator, target: Sequence[str]) -> Attending:
    """What a translator attends to while it writes `target`, words of the second language without the end.

    A word that it does not know is `<unk>`.
    """
    known = translation.vocabulary()
    target = tuple(word if word in known else UNKNOWN for word in target)
    fed, written = (START, *target), (*target, END)
    trace = Trace(keep=list(RECORDED.values()))
    device = loaded.source.device
    logits = loaded.model((loaded.source, known.encode(fed).to(device)), trace=trace)[0]
    chosen = logits.double().log_softmax(dim=-1)[torch.arange(len(written)), known.encode(written)[0]]
    found = recorded(trace)
    cross = found["cross"] if len(found["cross"]) else found["alignment"]
    return Attending(fed, written, found["encoder"], found["decoder"], cross, array_of(chosen))


def recorded(trace: Trace) -> dict[str, Patterns]:
    """The weights of every kind of attention, by the names in `RECORDED`."""
    return {kind: _stacked(trace, pattern) for kind, pattern in RECORDED.items()}


def _stacked(trace: Trace, path: str) -> Patterns:
    """What was recorded under such paths, layer by layer."""
    found = [value for name, value in trace.items() if fnmatchcase(name, path)]
    return array_of(torch.cat(found)) if found else NOTHING
