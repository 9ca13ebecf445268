"""A second language, made by rule from ours: every sentence has one aligned translation."""

from core.text.translation.forms import END, SPECIAL, vocabulary
from core.text.translation.rules import NAME, RULES
from core.text.translation.splits import Split, sentences, with_a_neighbour
from core.text.translation.translating import Alignment, Translation, translate

__all__ = [
    "END",
    "NAME",
    "RULES",
    "SPECIAL",
    "Alignment",
    "Split",
    "Translation",
    "sentences",
    "translate",
    "vocabulary",
    "with_a_neighbour",
]
