"""Two heads made by hand: every weight is chosen so that queries, keys and values can be read."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

import torch
from jaxtyping import Float
from torch import Tensor, nn

from core.device import choose_device
from core.model.blocks import Block
from core.model.config import ModelConfig
from core.model.models import Transformer
from core.sources.source import DimensionNames, LoadedModel, Source
from core.text.language.forms import gender, noun_numbers
from core.text.language.known import DETERMINERS, words_by_kind
from core.text.language.lexicon import FEMININE_NAMES, GENDERS, MASCULINE_NAMES, NOUNS, VERBS
from core.text.language.vocabulary import fold, vocabulary
from core.text.tokenizer import Vocabulary
from core.unavailable import UnavailableError

NAME = "by hand"

DIMENSIONS = (
    *("noun, one", "noun, many", "verb, one", "verb, many"),
    *("person", "thing", "determiner", "adjective", "other"),
)
"""Meanings of the entries of a word vector, 1 or 0; verbs may be both numbers, and *his* is a determiner."""

STRENGTH = 6.0
"""Entries of the queries; those of keys and values are 1."""


@dataclass(frozen=True)
class Head:
    """The question of a head: pairs of a dimension of the query word and the dimension it looks for."""

    question: str
    asks: tuple[tuple[str, str], ...]
    gives: tuple[str, str]

    @property
    def sought(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(wanted for _, wanted in self.asks))


HEADS = (
    Head(
        "Which noun is my subject?",
        (("verb, one", "noun, one"), ("verb, many", "noun, many")),
        ("person", "thing"),
    ),
    Head(
        "Which words describe me?",
        tuple((noun, one) for noun in ("noun, one", "noun, many") for one in ("determiner", "adjective")),
        ("determiner", "adjective"),
    ),
)

WIDTH = 2

NAMES = DimensionNames(
    model=DIMENSIONS, sought=tuple(head.sought for head in HEADS), given=tuple(head.gives for head in HEADS)
)

MORE_VERBS = """
    beat blamed carried defeated did dislike disliked dropped enjoy enjoyed hate hated heated paid praised
    recommend regret regretted rewarded scolded thanked warmed worried
"""
"""Verb forms of the language that are not in the table of verbs: none shows a number."""

SINGULAR_PRONOUNS = "i he him she it"
PLURAL_PRONOUNS = "we you they them"


def by_hand(config: ModelConfig) -> ModelConfig:
    """`config` with the shape of the two heads: one layer without norm, and no positions."""
    return replace(
        config,
        d_model=len(DIMENSIONS),
        n_heads=len(HEADS),
        head_width=WIDTH,
        n_layers=1,
        d_mlp=None,
        norm="none",
        positions="none",
        bias=False,
    )


@lru_cache(maxsize=1024)
def word_vector(word: str) -> tuple[float, ...]:
    """Return the dimensions of a word; an unknown word has those of other words."""
    true = _dimensions(fold(word))
    return tuple(float(name in true) for name in DIMENSIONS)


def first_asking(words: Sequence[str], head: int) -> int | None:
    """Return the first word's position with a nonzero query in a head, from 0; None if there is none."""
    askers = [DIMENSIONS.index(asker) for asker, _ in HEADS[head].asks]
    return next((at for at, word in enumerate(words) if any(word_vector(word)[one] for one in askers)), None)


def _dimensions(word: str) -> frozenset[str]:
    kinds = words_by_kind()
    if word in DETERMINERS.split():
        return frozenset({"determiner"})
    if word in kinds["nouns"] or word in kinds["names"] or word in kinds["pronouns"]:
        return frozenset({f"noun, {_number(word)}", "person" if word in _people() else "thing"})
    if word in kinds["verbs"] or word in MORE_VERBS.split():
        return frozenset(f"verb, {number}" for number in _verb_numbers(word))
    return frozenset({"adjective" if word in kinds["adjectives"] else "other"})


def _number(noun: str) -> str:
    plural = noun in PLURAL_PRONOUNS.split() or noun_numbers().get(noun) == "plural"
    return "many" if plural else "one"


@cache
def _people() -> frozenset[str]:
    entries = (entry for name in NOUNS for entry in NOUNS[name].split() if gender(entry) != "neuter")
    listed = {form for entry in (*entries, *GENDERS["speaker"].split()) for form in entry.split("/")}
    others = f"{SINGULAR_PRONOUNS} {PLURAL_PRONOUNS} {FEMININE_NAMES} {MASCULINE_NAMES}"
    return frozenset(listed | set(others.split())) - {"it"}


def _verb_numbers(verb: str) -> tuple[str, ...]:
    """Return the subject numbers that a form fits: both if it shows none."""
    entries = [entry.split("/") for name in VERBS for entry in VERBS[name].split()]
    singular = any(entry[0] == verb for entry in entries)
    plural = any(entry[1:2] == [verb] for entry in entries)
    return ("one",) * singular + ("many",) * plural or ("one", "many")


def load(config: ModelConfig, words: Sequence[str], seed: int) -> LoadedModel:
    """Load the two heads with the words of the sentence. Raises UnavailableError for other switches."""
    if config != by_hand(config):
        raise UnavailableError(
            "The heads made by hand are one layer of two heads without positions: choose other weights."
        )
    own = Vocabulary(list(dict.fromkeys(map(str, words))))
    model = Transformer(replace(config, vocab_size=len(own)))
    _set(model, own)
    unknown = tuple(at for at, word in enumerate(words) if fold(word) not in vocabulary())
    device = choose_device()
    ready = model.eval().requires_grad_(False).to(device)
    tokens = own.encode(list(map(str, words))).to(device)
    return LoadedModel(ready, own, tuple(words), tokens, unknown, dimensions=NAMES)


@torch.no_grad()
def _set(model: Transformer, words: Vocabulary) -> None:
    """Fill all weights: the heads as listed, 0 elsewhere."""
    for parameter in model.parameters():
        parameter.zero_()
    model.embed.weight.copy_(torch.tensor([word_vector(word) for word in words.words]))
    block = model.blocks[0]
    assert isinstance(block, Block)
    attention = block.attention
    parts = {
        "query": _rows([[(asks, wanted) for asks, wanted in head.asks] for head in HEADS], STRENGTH),
        "key": _rows([[(wanted, wanted) for wanted in head.sought] for head in HEADS]),
        "value": _rows([[(given, given) for given in head.gives] for head in HEADS], names=NAMES.given),
    }
    for name, weight in parts.items():
        linear = getattr(attention, name)
        assert isinstance(linear, nn.Linear)
        linear.weight.copy_(weight)
    attention.output.weight.copy_(parts["value"].T)


def _rows(
    pairs: Sequence[Sequence[tuple[str, str]]],
    strength: float = 1.0,
    names: Sequence[Sequence[str]] = NAMES.sought,
) -> Float[Tensor, "d_heads d_model"]:
    """Return a linear map of all heads, from each dimension to its partner in the head."""
    weight = torch.zeros(len(HEADS) * WIDTH, len(DIMENSIONS))
    for head, own in enumerate(pairs):
        for source, target in own:
            weight[head * WIDTH + names[head].index(target), DIMENSIONS.index(source)] = strength
    return weight


BY_HAND = Source(load, most_layers=1, trained=False)
