"""Written texts, continuation by hand, and the surprisal of words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np
import pandas as pd
import torch
from jaxtyping import Float, Int
from torch import Tensor

from core.arrays import array_of, read_only
from core.decoding import (
    Choose,
    LanguageModel,
    Sampling,
    decode,
    likeliest,
    next_word_distribution,
    sampler,
    start_text,
    with_forced_words,
)
from core.device import device_of
from core.learning.collection import MEMBERS
from core.measures.distance.long_range import TRANSFORMER, rivals
from core.measures.prediction import choices, predict
from core.model.config import ModelConfig
from core.model.recurrent import Network, RecurrentConfig
from core.sources import LoadedModel
from core.text import language
from core.text.tokenizer import MAX_WORDS

RECURRENT: Mapping[str, Network] = {"RNN": "rnn", "LSTM": "lstm"}
WRITERS = (*RECURRENT, TRANSFORMER)
"""The three models by name, in the order in which they were invented."""

ENDS = (".", "?", "!")
"""Marks that end a sentence of the language: it has no token for an end."""

Way = Literal["greedy", "sampled"]
WAYS: tuple[Way, ...] = get_args(Way)


@dataclass(frozen=True, kw_only=True)
class GenerationSettings:
    """Settings of a continuation: `most` words at most, less if it `stops` at a sentence end.

    `sampling` and `seed` are for sampling; `forced` are steps, from 0, with the word taken there.
    """

    way: Way = "greedy"
    sampling: Sampling = field(default_factory=Sampling)
    seed: int = 0
    most: int = 12
    stops: bool = True
    forced: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, eq=False)
class GeneratedText:
    """A text continued by a model, with the alternatives of each word.

    Row t of `log_probabilities` is of step t after the `n_given` words, in nats, before any temperature;
    `drawn` are the probabilities from which words were sampled. The words at the steps `forced` were chosen
    by hand.
    """

    words: tuple[str, ...]
    n_given: int
    unknown: tuple[int, ...]
    log_probabilities: Float[np.ndarray, "step vocab"]
    drawn: Float[np.ndarray, "step vocab"] | None = None
    forced: frozenset[int] = frozenset()

    @property
    def written(self) -> tuple[str, ...]:
        return self.words[self.n_given :]

    @property
    def ended(self) -> bool:
        """Whether the last word written ends a sentence."""
        return self.written[-1:] != () and self.written[-1] in ENDS

    def choices(self, step: int) -> pd.DataFrame:
        drawn = None if self.drawn is None else self.drawn[step]
        words = language.vocabulary().words
        return choices(words, self.log_probabilities[step], self.written[step], drawn=drawn)


def member_of(writer: str, config: ModelConfig) -> str:
    """Return a writer's name in the collection; the Transformer has positions, heads and norm of `config`."""
    return rivals("agreement", config)[writer]


def shapes(config: ModelConfig) -> dict[str, ModelConfig | RecurrentConfig]:
    """Return the configurations of the three language models by name."""
    found = {writer: MEMBERS[member_of(writer, config)].config for writer in WRITERS}
    return {name: one for name, one in found.items() if isinstance(one, ModelConfig | RecurrentConfig)}


@torch.inference_mode()
def continue_text(
    model: LanguageModel, given: Sequence[str], manner: GenerationSettings, *, cached: bool = True
) -> GeneratedText:
    """Continue at least one given word, to `MAX_WORDS` at most; without a cache unless `cached`."""
    encoding = language.encode(given)
    room = min(manner.most, MAX_WORDS - len(given))
    steps = decode(
        start_text(model, encoding.tokens[:, :-1], cached=cached),
        _chosen(manner),
        start=int(encoding.tokens[0, -1]),
        ends=_ids(ENDS) if manner.stops else (),
        longest=room,
    )
    ids = [step.word for step in steps]
    # Once more with all words given: one pass, as for measures of texts elsewhere.
    tokens = torch.tensor([[*encoding.tokens[0].tolist(), *ids]])
    logits = logits_of(model, tokens)[len(given) - 1 : -1]
    return GeneratedText(
        words=(*given, *language.vocabulary().decode(torch.tensor(ids, dtype=torch.long))),
        n_given=len(given),
        unknown=encoding.unknown,
        log_probabilities=array_of(logits.double().log_softmax(dim=-1)),
        drawn=_drawn(logits, manner) if ids else None,
        forced=frozenset(step for step, _ in manner.forced if step < len(ids)),
    )


@torch.inference_mode()
def logits_of(model: LanguageModel, tokens: Int[Tensor, "1 position"]) -> Float[Tensor, "position vocab"]:
    """Return the logits at every position of a text, on the CPU."""
    logits: Tensor = model(tokens.to(device_of(model)))[0]
    return logits.cpu()


def _chosen(manner: GenerationSettings) -> Choose:
    choose = likeliest if manner.way == "greedy" else sampler(manner.sampling, manner.seed)
    words = [word for _, word in manner.forced]
    return with_forced_words(choose, dict(zip((step for step, _ in manner.forced), _ids(words), strict=True)))


def _drawn(
    logits: Float[Tensor, "step vocab"], manner: GenerationSettings
) -> Float[np.ndarray, "step vocab"] | None:
    if manner.way == "greedy":
        return None
    return array_of(torch.stack([next_word_distribution(row, manner.sampling) for row in logits]))


def _ids(words: Sequence[str]) -> tuple[int, ...]:
    return tuple(language.vocabulary().encode(words)[0].tolist()) if words else ()


@dataclass(frozen=True, eq=False)
class Surprisals:
    """Surprisal −ln p of every word in nats, by model; NaN for the first word and those `unknown`."""

    words: tuple[str, ...]
    unknown: tuple[int, ...]
    nats: Mapping[str, Float[np.ndarray, "position"]]

    def probabilities(self, writer: str) -> Float[np.ndarray, "position"]:
        return np.exp(-self.nats[writer])

    def perplexities(self, n_words: int | None = None) -> dict[str, float]:
        """Return exp of the mean surprisal of the first `n_words` by model; none if none is scored."""
        found = {writer: nats[:n_words][np.isfinite(nats[:n_words])] for writer, nats in self.nats.items()}
        return {writer: float(np.exp(nats.mean())) for writer, nats in found.items() if len(nats)}


@torch.inference_mode()
def surprisals(models: Mapping[str, LanguageModel], words: Sequence[str]) -> Surprisals:
    """Return the surprisal of each word to each model."""
    encoding = language.encode(words)
    found = {}
    for writer, model in models.items():
        logits = logits_of(model, encoding.tokens)
        log_probabilities = logits[:-1].double().log_softmax(dim=-1)
        nats = np.full(len(words), np.nan)
        nats[1:] = -array_of(log_probabilities.gather(1, encoding.tokens[0, 1:, None])[:, 0])
        nats[list(encoding.unknown)] = np.nan
        found[writer] = read_only(nats)
    return Surprisals(tuple(words), encoding.unknown, found)


def text_surprisals(
    loaded: LoadedModel, groups: Sequence[Sequence[int]], names: Sequence[str], *, model: str
) -> Surprisals:
    """Return the surprisal of each group of positions of a text to one named model.

    Surprisals of the pieces of a word add up, like the logarithms of their probabilities. A group has none if
    one of its pieces has none. Raises UnavailableError for a model without an output layer.
    """
    nats = predict(loaded).losses()
    unknown = tuple(at for at, group in enumerate(groups) if set(group) & set(loaded.unknown))
    return Surprisals(
        tuple(names), unknown, {model: read_only(np.array([nats[[*one]].sum() for one in groups]))}
    )
