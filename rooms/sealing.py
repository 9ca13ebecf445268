"""Sealed questions of the server, with their views: a browser can ask them but cannot change them."""

import hmac
from collections.abc import Mapping
from typing import Any, NamedTuple

import orjson

from rooms.room import hashed

MOST_SETTINGS, MOST_SENTENCES = 40, 4
"""The most settings and sentences of a view that are kept with its question."""

LONGEST_SETTING, LONGEST_SENTENCE = 200, 600
"""The most characters of the name or the value of a setting, and of a sentence."""


class SealError(ValueError):
    """The question was not made by this server, or was changed."""


def seal(secret: str, question: Mapping[str, Any]) -> dict[str, str]:
    """Return a question as a text, with a proof that it comes from the server with this secret."""
    text = orjson.dumps(question, option=orjson.OPT_SERIALIZE_NUMPY).decode()
    return {"sealed": text, "seal": hashed(secret, "question", text)}


def unsealed(secret: str, sealed: Any, proof: Any) -> dict[str, Any]:
    """Return the question in a sealed text. Raises SealError if the proof is not of this text."""
    if not isinstance(sealed, str) or not isinstance(proof, str):
        raise SealError
    right = hashed(secret, "question", sealed.encode("utf-8", "replace").decode())
    if not hmac.compare_digest(right.encode(), proof.encode("utf-8", "replace")):
        raise SealError
    question: dict[str, Any] = orjson.loads(sealed)
    return question


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
