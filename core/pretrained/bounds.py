"""Bounds on reading the files of a model's folder, because strangers have made them."""

import json
from base64 import b64decode
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from math import prod
from pathlib import Path
from typing import Any

from core.pretrained.errors import FolderError

Part = Mapping[str, Any]
"""A part of a `tokenizer.json`, such as its normalizer, or one step of a part."""

MB = 2**20

MOST_BYTES = 4 * MB

MOST_HEADER_BYTES = MB
"""Bytes of the JSON header of a file with weights: room for about 8,000 tensors."""

MOST_TOKENIZER_BYTES = 32 * MB
"""Bytes of a `tokenizer.json`: BLOOM, with the largest vocabulary of all families here, has 15 MB."""

MOST_GROWTH = 144
"""Greatest factor by which a tokenizer may lengthen a text before or after it splits it."""

MOST_STEPS = 16
"""Greatest number of steps in each part of a tokenizer: published ones have at most 6."""

MOST_OF_TEXT = 2**16
"""Greatest number of pieces of a text: one of 10,000 characters has at most 40,000 bytes."""

MOST_AROUND = 64
"""Greatest number of pieces that a tokenizer may put around a text."""

LONGEST_WORD = 200
"""Greatest length of a word that WordPiece splits, in quadratic time: BERT has 100 characters."""

LONGEST_PIECE = 1024
"""Greatest number of characters of a piece, or of the text that a tokenizer adds around each."""

GROWTH = {"ByteLevel": 4, "Metaspace": 2, "BertNormalizer": 4, "Lowercase": 2}
GROWTH |= {"NFC": 3, "NFD": 4, "NFKC": 18, "NFKD": 18}
"""Factor by which each kind of step may lengthen a text; other steps keep its length."""

MOST_DEPTH = 32
"""Greatest depth of nested lists and objects."""

MOST_DIGITS = 40
"""Greatest number of digits of a whole number: transformers writes 10³⁰ for an unbounded length."""


def load_json(path: Path) -> object:
    """Return the content of a JSON file; raises FolderError beyond the bounds, OSError and ValueError."""
    text = read_text(path, MOST_BYTES)

    def whole(digits: str) -> int:
        if len(digits) > MOST_DIGITS:
            raise FolderError(f"{path.name} has a number of {len(digits)} digits")
        return int(digits)

    try:
        values = json.loads(text, parse_int=whole)
    except RecursionError:
        values = None
    else:
        if not _is_deeper(values, MOST_DEPTH):
            return values
    raise FolderError(f"{path.name} is nested more than {MOST_DEPTH} levels deep")


def read_text(path: Path, most: int) -> str:
    """Return a UTF-8 text. Raises FolderError for more than `most` bytes, and ValueError for another text."""
    check_size(path, most)
    return path.read_bytes().decode().removeprefix("\ufeff")


def check_size(path: Path, most: int) -> None:
    """Raise FolderError for a file of more than `most` bytes, and OSError if it is missing."""
    if path.stat().st_size > most:
        raise FolderError(f"{path.name} is larger than {most // MB} MB")


def check_header(path: Path) -> None:
    """Raise FolderError for weights with too large a header, and OSError if the file is missing."""
    with path.open("rb") as file:
        n_bytes = int.from_bytes(file.read(8), "little")
    if MOST_HEADER_BYTES < n_bytes <= path.stat().st_size:
        raise FolderError(f"{path.name} has a header larger than {MOST_HEADER_BYTES // MB} MB")


def check_steps(parts: Mapping[str, Part]) -> None:
    """Raise FolderError if the parts of a `tokenizer.json` could fill the memory; a missing part is empty."""
    steps = {name: _steps(part) for name, part in parts.items()}
    for name, own in steps.items():
        if len(own) > MOST_STEPS:
            raise FolderError(f"tokenizer.json: {name} must have at most {MOST_STEPS} steps, got {len(own)}")
    before = steps["normalizer"] + steps["pre_tokenizer"]
    if [step["type"] for step in before].count("ByteLevel") > 1:
        raise FolderError("tokenizer.json turns a text into bytes more than once")
    if any(prod(map(_growth, own)) > MOST_GROWTH for own in (before, steps["decoder"])):
        raise FolderError(f"tokenizer.json may make a text more than {MOST_GROWTH} times longer")
    _check_around(steps["post_processor"])


def check_lengths(pieces: Iterable[str], model: Any) -> None:
    """Raise FolderError for pieces, or settings of the model of a `tokenizer.json`, that are too long."""
    longest = getattr(model, "max_input_chars_per_word", 0)
    if longest > LONGEST_WORD:
        raise FolderError(
            f"tokenizer.json: max_input_chars_per_word must be at most {LONGEST_WORD}, got {longest}"
        )
    around = (
        getattr(model, name, None) or "" for name in ("continuing_subword_prefix", "end_of_word_suffix")
    )
    if (found := max(map(len, chain(pieces, around)), default=0)) > LONGEST_PIECE:
        raise FolderError(
            f"tokenizer.json: a token must have at most {LONGEST_PIECE} characters, got {found}"
        )


def _steps(part: Part) -> list[Part]:
    """Return the steps of a part of a tokenizer in order; sequences are flattened."""
    for name in ("normalizers", "pretokenizers", "processors", "decoders"):
        if name in part:
            return [step for inner in part[name] for step in _steps(inner)]
    return [part] if part else []


def _growth(step: Part) -> int:
    """Return the factor by which a step may lengthen a text."""
    match step:
        case {"type": "Replace", "pattern": {"Regex": _}, "content": str(text)}:
            return 1 + len(text)  # it may match between all characters
        case {"type": "Replace", "content": str(text)} | {"type": "Prepend", "prepend": str(text)}:
            return max(1, len(text))
        case {"type": "Precompiled", "precompiled_charsmap": table}:
            return _longest_replacement(table)
    return GROWTH.get(step["type"], 1)


def _longest_replacement(table: str) -> int:
    """Return the longest length of a text in a SentencePiece table: a size, a trie, texts that end in 0."""
    found = b64decode(table)
    texts = found[4 + int.from_bytes(found[:4], "little") :].split(b"\0")
    return max(1, max(len(text.decode("utf-8", "replace")) for text in texts))


def _check_around(steps: Sequence[Part]) -> None:
    """Raise FolderError if a tokenizer puts many or long pieces around a text, or repeats it."""
    n_pieces, texts = 0, [""]
    for step in steps:
        special = step.get("special_tokens", {})
        n_pieces += sum(isinstance(value, list) for value in (step.get("sep"), step.get("cls")))
        for name in ("single", "pair"):
            template = step.get(name, [])
            named = [part["SpecialToken"]["id"] for part in template if "SpecialToken" in part]
            repeated = Counter(part["Sequence"]["id"] for part in template if "Sequence" in part)
            if max(repeated.values(), default=0) > 1:
                raise FolderError("tokenizer.json puts a text more than once among its special tokens")
            for token in named:
                stands_for = special.get(token, {})
                n_pieces += max(1, len(stands_for.get("ids", ())), len(stands_for.get("tokens", ())))
        texts += [text for token in special.values() for text in token["tokens"]]
        texts += [value[0] for value in (step.get("sep"), step.get("cls")) if isinstance(value, list)]
    if n_pieces > MOST_AROUND:
        raise FolderError(
            f"tokenizer.json must put at most {MOST_AROUND} tokens around a text, got {n_pieces}"
        )
    check_lengths(texts, None)


def _is_deeper(values: object, most: int) -> bool:
    """Return whether values are nested more than `most` levels deep."""
    level = [values]
    for _ in range(most):
        level = [inner for outer in level for inner in _inside(outer)]
    return any(_inside(one) for one in level)


def _inside(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
