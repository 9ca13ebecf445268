"""A model before the first word that it writes, of a translation or of a text."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from core.decoding.cached import KVCacheState
from core.decoding.decoding import DecodingState, Logits, LogitsOf, UncachedState, Words
from core.device import device_of
from core.model.masks import NEXT_WORD
from core.model.models import EncoderDecoder, Stack, Transformer
from core.model.recurrent import Memory, RecurrentLanguageModel, last_memories, rows_of
from core.model.recurrent_pair import Encoded, RecurrentEncoderDecoder
from core.model.trace import Trace

Source = Int[Tensor, "row source"]
SourceAllowed = Bool[Tensor, "row 1 1 source"]

LanguageModel = Transformer | RecurrentLanguageModel
"""Models that read a text from left to right and predict the next word; a Transformer needs a mask for it."""


@torch.no_grad()
def start_translation(
    model: EncoderDecoder | RecurrentEncoderDecoder,
    source: Source,
    *,
    source_allowed: SourceAllowed | None = None,
    cached: bool = True,
) -> DecodingState:
    """Return `model` after reading the source sentences, one per row; without a cache unless `cached`."""
    if source_allowed is None:
        source_allowed = torch.ones_like(source, dtype=torch.bool)[:, None, None]
    if not cached:
        return _anew(model, source, source_allowed)
    if isinstance(model, RecurrentEncoderDecoder):
        encoded = model.encode(source, source_allowed=source_allowed)
        return RecurrentPairState(model, encoded, encoded.ends)
    memory = model.encoder.states(source, allowed=source_allowed)
    return KVCacheState(model.decoder, _memory_kept(model.decoder, memory), 0, source_allowed)


@torch.no_grad()
def start_text(
    model: LanguageModel, given: Int[Tensor, "row position"] | None = None, *, cached: bool = True
) -> DecodingState:
    """Return `model` after reading the words `given` in one pass, a row for each text.

    Without `given` there is one row without words. With a prefix mask, all words may attend to
    the words `given`. Raises ValueError for a Transformer that was not made to predict the next word.
    """
    if isinstance(model, Transformer) and model.config.objective != NEXT_WORD:
        raise ValueError(
            f"a model that writes has a mask for the next word, got {model.config.mask}, which is for a "
            f"{model.config.objective}"
        )
    device = device_of(model)
    tokens = torch.zeros(1, 0, dtype=torch.long) if given is None else given
    if not cached:
        rows = torch.arange(len(tokens), device=device)
        return UncachedState(_logits_after(model, tokens.shape[1]), rows, tokens.to(device))
    if tokens.shape[1] == 0:
        return KVCacheState(model, {}) if isinstance(model, Transformer) else RecurrentState(model)
    if isinstance(model, RecurrentLanguageModel):
        return RecurrentState(model, model.continued(tokens.to(device))[1])
    trace = Trace(keep=["blocks.*.attention.[kv]"])
    model.states(tokens.to(device), given=tokens.shape[1], trace=trace)
    return KVCacheState(model, dict(trace), tokens.shape[1], given=tokens.shape[1])


def _logits_after(model: LanguageModel, n_given: int) -> LogitsOf:
    """Return the function for the logits of whole texts with `n_given` given words."""
    if isinstance(model, Transformer):
        return lambda _, words: model(words, given=n_given)
    return lambda _, words: model(words)


def _anew(
    model: EncoderDecoder | RecurrentEncoderDecoder, source: Source, source_allowed: SourceAllowed
) -> UncachedState:
    def logits_of(row: Words, words: Int[Tensor, "row position"]) -> Float[Tensor, "row position vocab"]:
        return model((source[row], words), source_allowed=source_allowed[row])

    rows = torch.arange(len(source), device=source.device)
    return UncachedState(logits_of, rows, source.new_zeros(len(source), 0))


def _memory_kept(decoder: Stack, memory: Float[Tensor, "row source d_model"]) -> dict[str, Tensor]:
    """Return the keys and values of the encoder's states in every block, the same for every word."""
    nothing = torch.zeros(len(memory), 1, dtype=torch.long, device=memory.device)
    trace = Trace(keep=["blocks.*.cross_attention.[kv]"])
    decoder.states(nothing, memory=memory, trace=trace)
    return dict(trace)


@dataclass(frozen=True, eq=False)
class RecurrentPairState:
    """A recurrent encoder–decoder after some words, with the memories of its decoder's layers."""

    model: RecurrentEncoderDecoder
    encoded: Encoded
    memories: tuple[Memory, ...]

    def step(self, words: Words) -> tuple[Logits, "RecurrentPairState"]:
        layers = self.model.decoder(words[:, None].to(device_of(self.model)), starts=self.memories)
        logits = self.model.read_out(layers[-1][0], self.encoded)[:, -1]
        return logits, RecurrentPairState(self.model, self.encoded, last_memories(layers))

    def select_rows(self, chosen: Words) -> "RecurrentPairState":
        return RecurrentPairState(self.model, self.encoded.rows(chosen), rows_of(self.memories, chosen))


@dataclass(frozen=True, eq=False)
class RecurrentState:
    """A recurrent language model after some words, with the memories of its layers; None before any word."""

    model: RecurrentLanguageModel
    memories: tuple[Memory, ...] | None = None

    def step(self, words: Words) -> tuple[Logits, "RecurrentState"]:
        tokens = words[:, None].to(device_of(self.model))
        logits, memories = self.model.continued(tokens, starts=self.memories)
        return logits[:, -1], RecurrentState(self.model, memories)

    def select_rows(self, chosen: Words) -> "RecurrentState":
        return RecurrentState(self.model, None if self.memories is None else rows_of(self.memories, chosen))
