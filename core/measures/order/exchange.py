"""Questions about two nouns in both orders: a model that ignores order is right in half of them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, islice, product
from math import nan
from typing import NamedTuple

import pandas as pd
import torch

from core.device import device_of
from core.learning.collection import name_of
from core.learning.evaluation.phenomena import Asker, Question, agent, correct, roles
from core.learning.tasks.sentences import batch_of_sentences
from core.learning.training import Model, Recipe
from core.measures.findings import stored_measurement
from core.model.config import POSITIONS, ModelConfig
from core.model.masks import MASKED_WORD, freest_first
from core.model.models import Transformer
from core.text.language import MASK, Sentence, encode, parse, sentences, split_of
from core.text.language.held_out import nouns_in, pair_of

QUESTIONS: Mapping[str, Asker] = {"who did it": agent, "how they were afterwards": roles}
"""The questions: the agent, after `because the`, or a state afterwards, after `so the oven was`."""

N_PAIRS = 128
"""Number of sentences in the test, each in both orders."""

GUESSING = 0.5

ONE_OF_ALL = "bidirectional-sinusoidal-4-pre"
"""A model that represents all in statements about their training data, which are shared."""


Load = Callable[[str], Model]
"""A loader of a member of the collection by its name; raises OSError if it is missing."""


class SwapCounts(NamedTuple):
    """Counts over the pairs of a question: right answers, two for each, and pairs answered in two ways."""

    n_right: int
    n_differing: int

    @property
    def accuracy(self) -> float:
        return self.n_right / (2 * N_PAIRS)

    @property
    def n_both_right(self) -> int:
        """Pairs in which the answers differ and are right in both orders."""
        return (self.n_right - (N_PAIRS - self.n_differing)) // 2


def accuracies(config: ModelConfig, question: str, load: Load) -> pd.DataFrame:
    """Return the replies for every mask and scheme: mask, positions, accuracy, n_right, n_differing."""
    rows = []
    for each in asked_of(config):
        found = replies_of(each, question, load)
        numbers = (nan, nan, nan) if found is None else (found.accuracy, *found)
        rows.append((each.mask, each.positions, *numbers))
    return pd.DataFrame(rows, columns=["mask", "positions", "accuracy", "n_right", "n_differing"])


def asked_of(config: ModelConfig) -> list[ModelConfig]:
    """Return the configurations of the models: every mask with every position scheme."""
    every = product(freest_first(), POSITIONS)
    return [replace(config, mask=mask, positions=positions) for mask, positions in every]


def replies_of(config: ModelConfig, question: str, load: Load) -> SwapCounts | None:
    """Return the replies of the trained model of `config`, or None if there is no such model."""
    name = name_of(config)
    known = stored_measurement(name, replies_key(question))
    try:
        return SwapCounts(*map(int, known)) if known else replies(load(name), question)
    except OSError:
        return None


def replies_key(question: str) -> str:
    """Return the name of a question's replies in the findings."""
    return f"right, and pairs with two answers: {question}"


def replies(model: Model, question: str) -> SwapCounts:
    """Ask a model both orders of every pair: its answers differ if both are right or both wrong."""
    both = correct(model, [each for pair in pairs(question) for each in pair]).reshape(-1, 2)
    return SwapCounts(int(both.sum()), int((both[:, 0] == both[:, 1]).sum()))


@cache
def pairs(question: str) -> tuple[tuple[Question, Question], ...]:
    """Return pairs of test sentences and their mirror images; no training consequence has their nouns."""
    return tuple(islice(_pairs(QUESTIONS[question]), N_PAIRS))


def _pairs(asker: Asker) -> Iterator[tuple[Question, Question]]:
    met: set[tuple[str, ...]] = set()
    for sentence in sentences(0, split="test", constructions=["consequence"]):
        asked = asker(sentence)
        if asked is None:
            continue
        mirrored = asker(swap_nouns(sentence, asked))
        assert mirrored is not None, "a mirror image asks the same"
        beginnings = {each.words[: each.place] for each in (asked, mirrored)}
        if not beginnings & met:
            met |= beginnings
            yield asked, mirrored


@cache
def n_unseen(question: str) -> int:
    """Return how many sentences of `pairs` are unseen: no training consequence is about their two nouns."""
    asked = [each for pair in pairs(question) for each in pair]
    return sum(split_of(parse(each.words)) == "test" for each in asked)


@dataclass(frozen=True)
class SeenNounPairs:
    """`met` of the `n` noun pairs occur together in a training sentence, never in a consequence."""

    met: int
    n: int


def noun_pairs_key(question: str) -> str:
    """Return the name of a question's noun pairs in the findings."""
    return f"pairs together in training: {question}"


def met_together(question: str) -> SeenNounPairs | None:
    """Return the counted pairs of a question that occur in training; None if they were not counted."""
    found = stored_measurement(ONE_OF_ALL, noun_pairs_key(question))
    return None if found is None else SeenNounPairs(*map(int, found))


def count_together(question: str, recipe: Recipe) -> SeenNounPairs:
    """Return how many noun pairs of `pairs` occur together in this training, in about ten seconds."""
    asked = {pair_of(parse(each.words)) for pair in pairs(question) for each in pair}
    met = {
        pair
        for step in range(recipe.steps)
        for sentence in batch_of_sentences(recipe.seed, step, recipe.batch_size, "train")
        for pair in map(frozenset, combinations(sorted(nouns_in(sentence)), 2))
        if pair in asked
    }
    return SeenNounPairs(len(met), len(asked))


def swap_nouns(sentence: Sentence, asked: Question) -> Sentence:
    """Return the sentence with both nouns exchanged, and its right answer."""
    assert sentence.roles is not None
    words, (one, other) = list(sentence.words), (sentence.roles.agent, sentence.roles.patient)
    words[one], words[other] = words[other], words[one]
    words[asked.place] = min(asked.wrong)
    return parse(words)


def changed_places(first: Sequence[str], second: Sequence[str]) -> tuple[int, int] | None:
    """Return the positions of the two exchanged words; None if the orders differ otherwise."""
    differing = [at for at, (one, other) in enumerate(zip(first, second, strict=True)) if one != other]
    if len(differing) != 2:
        return None
    one, other = differing
    return (one, other) if (first[one], first[other]) == (second[other], second[one]) else None


@torch.inference_mode()
def expected(model: Transformer, words: Sequence[str], candidates: Sequence[str]) -> list[float]:
    """Return the probability of each candidate after these words, or at a mask if the model fills in."""
    shown = [*words, MASK] if model.config.objective == MASKED_WORD else words
    tokens = encode(shown).tokens.to(device_of(model))
    probabilities = model(tokens, given=tokens.shape[1])[0, -1].softmax(dim=-1)
    return probabilities[encode(candidates).tokens[0]].tolist()
