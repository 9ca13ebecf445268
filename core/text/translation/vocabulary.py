"""The words of the second language with their numbers."""

from functools import cache

from core.text.language import PAD, START, UNKNOWN
from core.text.tokenizer import Vocabulary
from core.text.translation.forms import every_form

END = "</s>"
SPECIAL = (PAD, UNKNOWN, START, END)
"""Padding, the unknown word, and the marks of a translation's beginning and end."""


@cache
def vocabulary() -> Vocabulary:
    """Return the special words, then every word that a translation can have, sorted."""
    return Vocabulary((*SPECIAL, *sorted(set(every_form()))))
