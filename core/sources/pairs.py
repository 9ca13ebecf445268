"""Pretrained encoder–decoders with a source text, ready to write."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Int
from torch import Tensor

from core.device import device_of
from core.model.config import PairConfig
from core.model.models import EncoderDecoder
from core.model.positions import SCHEMES
from core.pretrained import PieceTokenizer, Target, library
from core.pretrained.library import CachedModel
from core.pretrained.tokenizer import NO_TOKENIZER, TextError
from core.sources.pretrained import cached_model, check_rows, title_of, unavailable, vocabulary_of
from core.sources.spelling import readable
from core.text.tokenizer import Vocabulary
from core.unavailable import UnavailableError, prefix_unavailable

NONE_THERE = unavailable(
    UnavailableError(
        "No encoder–decoder is on this server. Put the folder of a BART or T5 model into `models`, or choose "
        "another model."
    )
)
"""The sentence shown in place of weights if there is no such model."""


@dataclass(frozen=True)
class LoadedPair:
    """An encoder–decoder ready to write, shared by all visitors; `source` are the tokens it reads."""

    model: EncoderDecoder
    vocabulary: Vocabulary
    tokenizer: PieceTokenizer
    source: Int[Tensor, "1 source"]
    target: Target

    @property
    def most_written(self) -> int | None:
        """Greatest number of pieces that the decoder has positions for; None if it has no bound."""
        config = self.model.decoder.config
        return SCHEMES[config.positions].longest(config)

    def pieces_of(self, text: str) -> tuple[int, ...]:
        """Return the tokens of a target's beginning; raises UnavailableError if there are none."""
        try:
            pieces = self.tokenizer.encode(text, special=False).pieces
        except TextError as error:
            raise UnavailableError(
                "The tokenizer cannot read what the target begins with:", str(error)
            ) from error
        with prefix_unavailable("What the target begins with"):
            check_rows(((piece.text, piece.token) for piece in pieces), len(self.vocabulary))
        return tuple(piece.token for piece in pieces)

    def label(self, token: int) -> str:
        return readable(self.vocabulary.words[token], in_bytes=self.tokenizer.in_bytes)

    def text(self, tokens: Sequence[int]) -> str:
        return self.tokenizer.decode(torch.tensor(tokens, dtype=torch.long))


def available_pairs() -> tuple[str, ...]:
    """Return the names of the encoder–decoders on this machine, in order, without loading any."""
    return tuple(name for name, folder in library.models().items() if library.is_pair(folder))


def configs_of(name: str) -> PairConfig:
    """Return the configurations of a pretrained encoder–decoder."""
    return _model(cached_model(name), title_of(name)).config


def tasks_of(name: str) -> tuple[str, ...]:
    """Return the task prefixes of the folder, which tell the model its task before a text."""
    target = cached_model(name).pretrained.target
    return () if target is None else target.tasks


def load_pair(name: str, pieces: Sequence[str]) -> LoadedPair:
    """Return the encoder–decoder of a name with a text in pieces; raises UnavailableError."""
    return pair_with(cached_model(name), pieces, title_of(name))


def pair_with(kept: CachedModel, pieces: Sequence[str], title: str) -> LoadedPair:
    """Return an encoder–decoder in memory with a text in pieces; raises UnavailableError."""
    model, target, tokenizer = _model(kept, title), kept.pretrained.target, kept.pretrained.tokenizer
    if tokenizer is None or target is None or target.start is None:
        silent = "does not say what a target begins with: choose another model."
        missing = NO_TOKENIZER if tokenizer is None else silent
        raise UnavailableError(f"The folder of {{title}} {missing}", title=title)
    vocabulary = vocabulary_of(kept)
    source = vocabulary.encode(pieces).to(device_of(model))
    return LoadedPair(model, vocabulary, tokenizer, source, target)


def _model(kept: CachedModel, title: str) -> EncoderDecoder:
    model = kept.pretrained.model
    if not isinstance(model, EncoderDecoder):
        raise UnavailableError("{title} is no encoder–decoder: choose another model.", title=title)
    return model
