"""A small English of our own: sentences drawn from a grammar, each with its exact structure."""

from core.text.language.grammar import CONSTRUCTIONS, SHARES
from core.text.language.known import kinds_expected, nearest, words_by_kind
from core.text.language.parsing import parse
from core.text.language.sampling import DISTANCES, SPLITS, Split, sentences, split_of
from core.text.language.sentence import Sentence
from core.text.language.vocabulary import MASK, PAD, START, UNKNOWN, Encoding, encode, vocabulary

__all__ = [
    "CONSTRUCTIONS",
    "DISTANCES",
    "MASK",
    "PAD",
    "SHARES",
    "SPLITS",
    "START",
    "UNKNOWN",
    "Encoding",
    "Sentence",
    "Split",
    "encode",
    "kinds_expected",
    "nearest",
    "parse",
    "sentences",
    "split_of",
    "vocabulary",
    "words_by_kind",
]
