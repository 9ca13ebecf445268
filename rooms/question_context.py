"""The view of a question, sealed by a page of this server: phones show its sentences."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from rooms.sealing import SealError, unsealed

MOST_SETTINGS, MOST_SENTENCES = 40, 4
"""The most settings and sentences of a view that are kept with its question."""

LONGEST_SETTING, LONGEST_SENTENCE = 200, 600
"""The most characters of the name or the value of a setting, and of a sentence."""


class QuestionContext(NamedTuple):
    """The sentences of a view, and its settings."""

    sentences: tuple[str, ...]
    settings: Mapping[str, str]


def parse_context(secret: str, given: Any) -> QuestionContext:
    """Return the view of a question as a browser sends it; empty if it sends none.

    Raises SealError if this server has not sealed it.
    """
    if not given:
        return QuestionContext((), {})
    if not isinstance(given, dict):
        raise SealError
    said = unsealed(secret, given.get("sealed"), given.get("seal"))
    if not {"sentences", "settings"} <= said.keys():  # a question is sealed too
        raise SealError
    pairs = list(said["settings"].items())[:MOST_SETTINGS]
    return QuestionContext(
        tuple(str(one)[:LONGEST_SENTENCE] for one in said["sentences"][:MOST_SENTENCES]),
        {str(name)[:LONGEST_SETTING]: str(value)[:LONGEST_SETTING] for name, value in pairs},
    )
