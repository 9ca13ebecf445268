"""A second language, made by rule from ours: every sentence has one aligned translation."""

from core.text.translation.neighbours import with_a_neighbour
from core.text.translation.rules import NAME, RULES, Rule
from core.text.translation.splits import SPLITS, Split, pairs, sentences, split_of
from core.text.translation.translating import Alignment, Translation, translate
from core.text.translation.vocabulary import END, SPECIAL, vocabulary

__all__ = [
    "END",
    "NAME",
    "RULES",
    "SPECIAL",
    "SPLITS",
    "Alignment",
    "Rule",
    "Split",
    "Translation",
    "pairs",
    "sentences",
    "split_of",
    "translate",
    "vocabulary",
    "with_a_neighbour",
]
