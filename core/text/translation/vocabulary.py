"""The words of the second language with their numbers."""

from functools import cache

from core.text.language import PAD, START, UNKNOWN
from core.text.tokenizer import Vocabulary
from core.text.translation.forms import every_form

END = "</s>"
SPECIAL = (PAD, UNKNOWN, START, END)
"""Padding, a word that is not known, and what a translation begins and ends with."""


@cache
def vocabulary() -> Vocabulary:
    """The special words first, then every word that a translation can have, sorted."""
    return Vocabulary((*SPECIAL, *sorted(set(every_form()))))
