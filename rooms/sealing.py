"""Sealed questions of the server: a browser can ask them but cannot change them."""

import hmac
from collections.abc import Mapping
from typing import Any

import orjson

from rooms.room import hashed

LONGEST_SEALED = 100 * 1024
"""The most bytes of a sealed question, which can contain typed texts."""


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
