"""Cross-attention of translators, in words and in pieces."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from core.arrays import array_of
from core.decoding import decode, likeliest, start_translation, with_forced_words
from core.learning.training import Pair
from core.model.trace import Trace
from core.sources.pairs import LoadedPair
from core.sources.trained import LoadedTranslator
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
"""Trace names of each kind of attention; a recurrent pair has its alignment alone."""


NOTHING: Patterns = np.zeros((0, 1, 1, 1), dtype=np.float32)


@dataclass(frozen=True, eq=False)
class TranslatorAttention:
    """The weights of every head; `output` is the decoder's output after each word.

    Row t of `cross` is the step at which word t is chosen. A model without such attention has no layers here.
    """

    decoder_input: tuple[str, ...]
    output: tuple[str, ...]
    encoder: Patterns
    decoder: Patterns
    cross: Patterns


@torch.inference_mode()
def attending(loaded: LoadedTranslator, target: Sequence[str]) -> TranslatorAttention:
    """Return a translator's attention while it writes `target`, without the end."""
    known = translation.vocabulary()
    target = tuple(word if word in known else UNKNOWN for word in target)
    fed, written = (START, *target), (*target, END)
    return TranslatorAttention(fed, written, *_attention(loaded.model, loaded.source, known.encode(fed)))


def _attention(model: Pair, source: Tensor, fed: Tensor) -> tuple[Patterns, Patterns, Patterns]:
    """Return the weights of each kind of attention in one pass."""
    trace = Trace(keep=list(RECORDED.values()))
    model((source, fed.to(source.device)), trace=trace)
    encoder, decoder, cross, alignment = (_stacked(trace, path) for path in RECORDED.values())
    return encoder, decoder, cross if len(cross) else alignment


def _stacked(trace: Trace, path: str) -> Patterns:
    found = [value for name, value in trace.items() if fnmatchcase(name, path)]
    return array_of(torch.cat(found)) if found else NOTHING


MOST_WRITTEN = 64
"""Greatest number of pieces written: as many rows as a reader can see."""


@dataclass(frozen=True, eq=False)
class PieceTranslation:
    """The pieces written, and the weights of every head meanwhile.

    The first `n_given` tokens of `target` come from the folder or the visitor; `n_too_many` of the visitor's
    pieces had no room. It `ended` if the last token is one of `ends`.
    """

    attending: TranslatorAttention
    source: tuple[int, ...]
    target: tuple[int, ...]
    ends: tuple[int, ...]
    n_given: int
    n_too_many: int
    text: str

    @property
    def ended(self) -> bool:
        return self.target[-1] in self.ends


@torch.inference_mode()
def attending_in_pieces(pair: LoadedPair, begins: str = "") -> PieceTranslation:
    """Write with an encoder–decoder in pieces, greedily after the text `begins`, and return its weights."""
    start = pair.target.start
    assert start is not None, "a pair is loaded with it"
    longest = MOST_WRITTEN if pair.most_written is None else min(MOST_WRITTEN, pair.most_written)
    asked = _given(pair, begins)
    given = asked[: longest - 1]
    steps = decode(
        start_translation(pair.model, pair.source),
        with_forced_words(likeliest, dict(enumerate(given))),
        start=start,
        ends=pair.target.ends,
        longest=longest,
    )
    target = tuple(step.word for step in steps)
    fed = (start, *target[:-1])
    return PieceTranslation(
        attending=TranslatorAttention(
            tuple(map(pair.label, fed)),
            tuple(map(pair.label, target)),
            *_attention(pair.model, pair.source, torch.tensor([fed])),
        ),
        source=tuple(pair.source[0].tolist()),
        target=target,
        ends=tuple(sorted(pair.target.ends)),
        n_given=min(len(given), len(target)),
        n_too_many=len(asked) - len(given),
        text=pair.text(target),
    )


def _given(pair: LoadedPair, begins: str) -> tuple[int, ...]:
    """Return the tokens that the model does not choose: the folder's first token and the visitor's pieces."""
    first = () if pair.target.first is None else (pair.target.first,)
    return (*first, *pair.pieces_of(begins))


def share_of(pattern: Float[np.ndarray, "query key"], positions: Collection[int]) -> float:
    """Return the mean over queries of the total weight of keys at these positions."""
    return float(np.asarray(pattern)[:, sorted(positions)].sum(axis=1).mean())
