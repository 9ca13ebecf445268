"""How much is read of the files of a model's folder: somebody else has made them."""

import json
from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Any

from core.pretrained.errors import FolderError

MB = 2**20

MOST_BYTES = 4 * MB
"""Bytes of a JSON file."""

MOST_HEADER_BYTES = MB
"""Bytes of the header of a file with weights, which is JSON too: room for about 8,000 tensors."""

MOST_TOKENIZER_BYTES = 32 * MB
"""Bytes of a `tokenizer.json`: BLOOM, with the largest vocabulary of all families here, has 15 MB."""

MOST_GROWTH = 64
"""How many times longer a tokenizer may make a text before it takes it apart."""

MOST_DEPTH = 32
"""How deep lists and objects may stand in each other."""

MOST_DIGITS = 40
"""Digits of a whole number: transformers writes 10³⁰ for a length without a bound."""


def load_json(path: Path) -> object:
    """Return what a JSON file holds.

    Raises FolderError if it is too large, nested too deeply or has a number of too many digits, OSError if it
    cannot be opened, and ValueError if it is not JSON in UTF-8.
    """
    check_size(path, MOST_BYTES)

    def whole(digits: str) -> int:
        if len(digits) > MOST_DIGITS:
            raise FolderError(f"{path.name} has a number of {len(digits)} digits")
        return int(digits)

    try:
        values = json.loads(path.read_bytes().decode(), parse_int=whole)
    except RecursionError:
        values = None
    else:
        if not _is_deeper(values, MOST_DEPTH):
            return values
    raise FolderError(f"{path.name} is nested more than {MOST_DEPTH} levels deep")


def check_size(path: Path, most: int) -> None:
    """Raise FolderError for a file that has more bytes than `most`, and OSError if there is none."""
    if path.stat().st_size > most:
        raise FolderError(f"{path.name} is larger than {most // MB} MB")


def check_header(path: Path) -> None:
    """Raise FolderError for a file with weights whose header is too large, and OSError if there is none."""
    with path.open("rb") as file:
        n_bytes = int.from_bytes(file.read(8), "little")
    if MOST_HEADER_BYTES < n_bytes <= path.stat().st_size:
        raise FolderError(f"{path.name} has a header larger than {MOST_HEADER_BYTES // MB} MB")


def check_growth(normalizer: Mapping[str, Any]) -> None:
    """Raise FolderError if a `tokenizer.json` replaces signs by texts that could fill the memory."""
    if _growth(normalizer) > MOST_GROWTH:
        raise FolderError(f"tokenizer.json may make a text more than {MOST_GROWTH} times longer")


def _growth(normalizer: Mapping[str, Any]) -> int:
    match normalizer:
        case {"normalizers": [*steps]}:
            return prod(map(_growth, steps))
        case {"content": str(text)} | {"prepend": str(text)}:
            return max(1, len(text))
    return 1


def _is_deeper(values: object, most: int) -> bool:
    """Return whether values stand in each other more than `most` levels deep."""
    level = [values]
    for _ in range(most):
        level = [inner for outer in level for inner in _inside(outer)]
    return any(_inside(one) for one in level)


def _inside(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
