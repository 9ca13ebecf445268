"""Continuation of a text by one model, a token at a time: greedy, sampled, or with beam search."""

from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass, field
from math import exp
from typing import Literal, get_args

import torch
from jaxtyping import Float
from torch import Tensor

from core.decoding import (
    Beam,
    DecodingState,
    Sampling,
    beams,
    likeliest,
    next_word_distribution,
    sampler,
    start_text,
)
from core.measures.generation.writing import ENDS
from core.model.masks import NEXT_WORD
from core.model.models import Transformer
from core.sources import LoadedModel, UnavailableError
from core.text.tokenizer import MAX_WORDS

Way = Literal["greedy", "sampled", "beam"]
WAYS: tuple[Way, ...] = get_args(Way)

LISTED = 10
"""Number of the likeliest tokens kept at each step."""

CANNOT = "This model does not predict the next word, so it cannot continue a text."

CLOSING = "\"'”’)»"
"""Signs that may follow the mark that ends a sentence, in one token with it."""


@dataclass(frozen=True, kw_only=True)
class GenerationConfig:
    """Settings of a continuation: at most `max_new_tokens`, fewer with `stop_at_sentence_end`.

    `sampling` and `seed` are for sampling, `width` is for the beam.
    """

    strategy: Way = "greedy"
    sampling: Sampling = field(default_factory=Sampling)
    seed: int = 0
    width: int = 3
    max_new_tokens: int = 12
    stop_at_sentence_end: bool = True


@dataclass(frozen=True)
class GeneratedToken:
    """A chosen token with the likeliest alternatives, itself included, the likeliest first.

    `before` are their probabilities. If the token was sampled, `after` are the probabilities from which it
    was drawn.
    """

    token: int
    tokens: tuple[int, ...]
    before: tuple[float, ...]
    after: tuple[float, ...] | None = None

    @property
    def probability(self) -> float:
        """The probability that the model gave to the token, before any temperature."""
        return self.before[self.tokens.index(self.token)]

    @property
    def drawn_with(self) -> float:
        """Probability with which the token was drawn; without sampling, `probability`."""
        return (self.before if self.after is None else self.after)[self.tokens.index(self.token)]


@dataclass(frozen=True)
class BeamHypothesis:
    """A beginning that a beam search keeps: its tokens, and its natural log-probability."""

    tokens: tuple[int, ...]
    log_probability: float
    is_whole: bool


@dataclass(frozen=True)
class Continuation:
    """A text so far: the `chosen` tokens, or the `beginnings` of a beam, the likeliest first."""

    chosen: tuple[GeneratedToken, ...] = ()
    beginnings: tuple[BeamHypothesis, ...] = ()
    is_whole: bool = False

    @property
    def n_tokens(self) -> int:
        """Number of tokens written so far; for a beam, the length of its longest beginning."""
        return max((len(one.tokens) for one in self.beginnings), default=len(self.chosen))

    @property
    def probabilities(self) -> tuple[float, ...]:
        """The probability of each chosen token, or of each beginning."""
        if self.beginnings:
            return tuple(exp(one.log_probability) for one in self.beginnings)
        return tuple(one.probability for one in self.chosen)

    @property
    def tokens(self) -> tuple[int, ...]:
        """The tokens written so far; for a beam, its likeliest beginning."""
        if self.beginnings:
            return self.beginnings[0].tokens
        return tuple(one.token for one in self.chosen)


def max_new_tokens(loaded: LoadedModel, generation: GenerationConfig) -> int:
    """Return how many tokens may be written; raises UnavailableError if there is no room or no next word."""
    _writer(loaded)
    one, n = loaded.pretrained, _read(loaded)
    most, unit = (MAX_WORDS, "words") if one is None else (one.most_pieces(loaded.model.config), "tokens")
    if n >= most:
        raise UnavailableError(
            f"A text may have at most {most:,} {unit}, generated ones included: shorten yours."
        )
    return min(generation.max_new_tokens, most - n)


def generate(loaded: LoadedModel, generation: GenerationConfig) -> Iterator[Continuation]:
    """Yield the text after each written token, complete at the end; raises as `max_new_tokens`."""
    model = _writer(loaded)
    room, ends = max_new_tokens(loaded, generation), _ends(loaded, generation)
    tokens = loaded.tokens[:, : _read(loaded)]
    decoding, start = start_text(model, tokens[:, :-1]), int(tokens[0, -1])
    if generation.strategy == "beam":
        yield from _with_beam(decoding, start, ends, room, generation.width)
    else:
        yield from _one_by_one(decoding, start, ends, room, generation)


def generate_all(loaded: LoadedModel, generation: GenerationConfig) -> Continuation:
    """Return the complete text. Raises UnavailableError as `generate` does."""
    found = Continuation()
    for step in generate(loaded, generation):
        found = step
    return found


def can_generate(loaded: LoadedModel) -> bool:
    """Return whether a model predicts the next word."""
    model = loaded.model
    return isinstance(model, Transformer) and loaded.predicts_next and model.config.objective == NEXT_WORD


def _writer(loaded: LoadedModel) -> Transformer:
    if not can_generate(loaded) or not isinstance(loaded.model, Transformer):
        raise UnavailableError(CANNOT)
    return loaded.model


def _read(loaded: LoadedModel) -> int:
    """Return the number of tokens to read, without special tokens that a tokenizer puts at the end."""
    n = loaded.tokens.shape[1]
    while n > 1 and n - 1 in loaded.special:
        n -= 1
    return n


def _ends(loaded: LoadedModel, generation: GenerationConfig) -> Set[int]:
    """Return the tokens after which a text is complete."""
    words = loaded.vocabulary.words
    marks = (at for at, word in enumerate(words) if word.rstrip(CLOSING).endswith(ENDS))
    return {*loaded.ends, *(marks if generation.stop_at_sentence_end else ())}


def _one_by_one(
    decoding: DecodingState, word: int, ends: Set[int], room: int, generation: GenerationConfig
) -> Iterator[Continuation]:
    greedily = generation.strategy == "greedy"
    choose: Callable[[int, Tensor], int] = (
        likeliest if greedily else sampler(generation.sampling, generation.seed)
    )
    chosen: list[GeneratedToken] = []
    while len(chosen) < room:
        with torch.inference_mode():
            logits, decoding = decoding.step(torch.tensor([word]))
            word = choose(len(chosen), logits[0])
            chosen.append(_chosen(word, logits[0], None if greedily else generation.sampling))
        is_whole = word in ends or len(chosen) == room
        yield Continuation(chosen=tuple(chosen), is_whole=is_whole)
        if is_whole:
            return


def _chosen(token: int, logits: Float[Tensor, "vocab"], sampling: Sampling | None) -> GeneratedToken:
    before = logits.cpu().double().softmax(dim=-1)
    tokens = before.argsort(descending=True, stable=True)[:LISTED].tolist()
    if token not in tokens:
        tokens.append(token)
    after = None if sampling is None else tuple(next_word_distribution(logits, sampling)[tokens].tolist())
    return GeneratedToken(token, tuple(tokens), tuple(before[tokens].tolist()), after)


def _with_beam(
    decoding: DecodingState, start: int, ends: Set[int], room: int, width: int
) -> Iterator[Continuation]:
    search = beams(decoding, width=width, start=start, ends=ends, longest=room)
    for n, beam in enumerate(search, 1):
        found = _beginnings(beam, width)
        is_whole = n == room or all(one.is_whole for one in found)
        yield Continuation(beginnings=found, is_whole=is_whole)


def _beginnings(beam: Beam, width: int) -> tuple[BeamHypothesis, ...]:
    return tuple(
        BeamHypothesis(beam.words(number), beam.tree[number].total, beam.tree[number].ended)
        for number in beam.kept[:width]
    )
