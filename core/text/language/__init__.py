"""A small English of our own: sentences drawn from a grammar, each with its exact structure."""

from core.text.language.grammar import CONSTRUCTIONS, SHARES
from core.text.language.known import kinds_expected, nearest, words_by_kind
from core.text.language.parsing import next_words, parse
from core.text.language.sampling import DISTANCES, SPLITS, TEST_SHARE, Split, sentences, split_of
from core.text.language.sentence import Agreement, Label, Reference, Roles, Sentence
from core.text.language.vocabulary import MASK, PAD, SPECIAL, START, UNKNOWN, Encoding, encode, vocabulary

__all__ = [
    "CONSTRUCTIONS",
    "DISTANCES",
    "MASK",
    "PAD",
    "SHARES",
    "SPECIAL",
    "SPLITS",
    "START",
    "TEST_SHARE",
    "UNKNOWN",
    "Agreement",
    "Encoding",
    "Label",
    "Reference",
    "Roles",
    "Sentence",
    "Split",
    "encode",
    "kinds_expected",
    "nearest",
    "next_words",
    "parse",
    "sentences",
    "split_of",
    "vocabulary",
    "words_by_kind",
]
