"""A second language, made by rule from ours: every sentence has one aligned translation."""

from core.text.translation.forms import END, SPECIAL, vocabulary
from core.text.translation.rules import NAME, RULES, Rule
from core.text.translation.splits import SPLITS, Split, pairs, sentences, split_of, with_a_neighbour
from core.text.translation.translating import Alignment, Translation, translate

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
