"""The view that a question is about, as a page of this server has sealed it: phones are shown it."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from rooms.sealing import SealError, unsealed

MOST_SETTINGS, MOST_SENTENCES = 40, 4
"""Settings and sentences of a view that are kept with its question."""

LONGEST_SETTING, LONGEST_SENTENCE = 200, 600
"""Characters of the name or the value of a setting, and of a sentence."""


class Situation(NamedTuple):
    """The sentences that a view shows, and how it is set."""

    sentences: tuple[str, ...]
    settings: Mapping[str, str]


def situation_of(secret: str, given: Any) -> Situation:
    """Return what a browser sends of the view that a question is about; nothing if it sends none.

    Raises SealError for what this server has not sealed.
    """
    if not given:
        return Situation((), {})
    if not isinstance(given, dict):
        raise SealError
    said = unsealed(secret, given.get("sealed"), given.get("seal"))
    if not {"sentences", "settings"} <= said.keys():  # a question is sealed too
        raise SealError
    pairs = list(said["settings"].items())[:MOST_SETTINGS]
    return Situation(
        tuple(str(one)[:LONGEST_SENTENCE] for one in said["sentences"][:MOST_SENTENCES]),
        {str(name)[:LONGEST_SETTING]: str(value)[:LONGEST_SETTING] for name, value in pairs},
    )
