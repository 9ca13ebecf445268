"""Whole models and how many parameters their parts have."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from torch import nn

from core.device import device_of
from core.learning.collection.translators import D_MODEL, HEADS, LAYERS, transformer_pair
from core.measures.architectures.parts import Anatomy, anatomy
from core.measures.architectures.wiring import record_operations
from core.model.config import ModelConfig, PairConfig
from core.model.initialisation import DrawingNothing, initialise
from core.model.models import EncoderDecoder
from core.sources import LoadedModel
from core.text import language, translation
from core.text.language import START, parse
from core.text.translation import END, translate


@dataclass(frozen=True, eq=False)
class ModelRun:
    """A model with its recorded parts and the words that it read.

    `target` is the decoder's input in a pair; `why_no_translation` says why there is no translation, if so.
    `trained` is the configuration of the translator, None for weights that have learned nothing.
    """

    anatomy: Anatomy
    config: ModelConfig | PairConfig
    source: tuple[str, ...]
    target: tuple[str, ...] = ()
    unknown: tuple[int, ...] = ()
    why_no_translation: str = ""
    trained: PairConfig | None = None

    @property
    def written(self) -> tuple[str, ...]:
        """Target word of each step of the decoder; empty without a translation."""
        return () if self.why_no_translation else (*self.target[1:], END)

    def words_of(self, stack: str) -> tuple[str, ...]:
        return self.target if stack == "decoder" else self.source

    def config_of(self, stack: str) -> ModelConfig:
        if isinstance(self.config, ModelConfig):
            return self.config
        return self.config.decoder if stack == "decoder" else self.config.encoder


def run_stack(loaded: LoadedModel) -> ModelRun:
    """Return the run of a loaded model on its words."""
    with record_operations(loaded.model) as wiring:
        loaded.model(loaded.tokens, trace=wiring.recorded)
    parts = anatomy(wiring, {"words": loaded.tokens})
    return ModelRun(parts, loaded.model.config, loaded.words, unknown=loaded.unknown)


def run_pair(model: EncoderDecoder, words: Sequence[str], *, trained: PairConfig | None = None) -> ModelRun:
    """Return an encoder–decoder's run on `words`, with their translation or, without one, its start."""
    target, why_no_translation = decoder_input(words)
    encoding, device = language.encode(words), device_of(model)
    given = {
        "encoder.words": encoding.tokens.to(device),
        "decoder.words": translation.vocabulary().encode(target).to(device),
    }
    with record_operations(model) as wiring:
        model(tuple(given.values()), trace=wiring.recorded)
    found = anatomy(wiring, given)
    return ModelRun(found, model.config, tuple(words), target, encoding.unknown, why_no_translation, trained)


def random_pair(config: ModelConfig, seed: int) -> EncoderDecoder:
    """Return two stacks as in `config`, as wide as trained ones, because no switch changes a shape."""
    side = replace(config, d_model=D_MODEL, d_mlp=None)
    source, target = len(language.vocabulary()), len(translation.vocabulary())
    pair = PairConfig(
        encoder=replace(side, vocab_size=source, mask="bidirectional"),
        decoder=replace(side, vocab_size=target, mask="causal"),
    )
    return pair_model(pair, seed)


def decoder_input(words: Sequence[str]) -> tuple[tuple[str, ...], str]:
    """Return the decoder's input in training on `words`, and the reason if it is the start alone."""
    try:
        return (START, *translate(parse(words)).words), ""
    except ValueError as error:
        return (START,), str(error)


def trained_pair(config: ModelConfig) -> PairConfig | None:
    """Return the translator of the collection with the stacks of `config`, of any width; None without."""
    if config.n_heads not in HEADS or config.n_layers not in LAYERS:
        return None
    pair = transformer_pair(config.n_heads, config.n_layers)
    side = pair.encoder
    alike = replace(config, d_model=D_MODEL, d_mlp=None, vocab_size=side.vocab_size, mask=side.mask)
    return pair if alike == side else None


def pair_model(config: PairConfig, seed: int) -> EncoderDecoder:
    """Return the encoder–decoder of a configuration, with the random weights of this seed."""
    with DrawingNothing():
        model = EncoderDecoder(config.encoder, config.decoder)
    initialise(model, seed=seed)
    return model.eval().requires_grad_(False)


PARTS: Mapping[str, str] = {
    "embeddings": r"(^|\.)embed\.|(^|\.)types\.",
    "positions": r"(^|\.)positions\.",
    "queries": r"attention\.query\.",
    "keys": r"attention\.key\.",
    "values": r"attention\.value\.",
    "output projection": r"attention\.output\.",
    "feed-forward": r"\.mlp\.",
    "normalisation": r"norm\.(gain|bias)$",
    "recurrence": r"(^|\.)layers\.\d+\.from_(input|hidden)\.",
    "combined": r"(^|\.)combine\.",
    "output layer": r"(^|\.)unembed\.|(^|\.)transform\.",
}
"""The parts in the order of a table, and the marks of their names in the parameters."""

Counts = Mapping[str, int]
"""Numbers of parameters by part; a part that a model does not have is missing."""


def counts(model: nn.Module, *, stack: str = "") -> Counts:
    """Return the parameters of a model, or of one `stack`, by part; a tied table counts as embeddings."""
    found: dict[str, int] = {}
    for name, parameter in model.named_parameters():
        if name.startswith(f"{stack}." if stack else ""):
            part = next(part for part, pattern in PARTS.items() if re.search(pattern, name))
            found[part] = found.get(part, 0) + parameter.numel()
    return found
