"""The one right translation of a sentence that was typed, where the rules have one."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.text import language
from core.text.translation import Translation, translate


@dataclass(frozen=True)
class Reference:
    """The translation by the rules; None where the sentence is not of the language, and `why` says where."""

    translation: Translation | None
    why: str = ""


def reference(words: Sequence[str]) -> Reference:
    """The reference of a sentence, whatever was typed."""
    try:
        return Reference(translate(language.parse(words)))
    except ValueError as error:
        return Reference(None, str(error))
