"""Pieces of a vocabulary as a reader understands them, whatever signs it has for blanks and bytes."""

import re
import unicodedata
from collections.abc import Sequence
from types import MappingProxyType

BEGINS_WORD, CONTINUES = ("Ġ", "▁"), "##"
"""How vocabularies mark a piece before which there is a blank, and one that goes on with a word."""

BLANK = "␣"

FALLBACK = re.compile("<0x([0-9A-F]{2})>")
"""A byte of what a vocabulary of signs has no sign for."""


def _signs_of_bytes() -> dict[str, int]:
    """Return the sign that GPT-2 writes for each byte: its own if Latin-1 prints it, else from 256 on."""
    printed = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    others = [byte for byte in range(256) if byte not in printed]
    return {chr(byte): byte for byte in printed} | {chr(256 + at): byte for at, byte in enumerate(others)}


BYTE = "⟨{:02X}⟩"
"""A byte that is no letter by itself."""

BYTES = MappingProxyType(_signs_of_bytes())


def readable(piece: str, *, in_bytes: bool) -> str:
    """Return a piece with blanks and letters as they are written: `Ġit` is `␣it`, a lone byte `⟨C3⟩`."""
    if fallback := FALLBACK.fullmatch(piece):
        return BYTE.format(int(fallback[1], 16))
    if in_bytes and BYTES.keys() >= set(piece):
        piece = _decoded(bytes(BYTES[sign] for sign in piece))
    own = piece.lstrip("".join((*BEGINS_WORD, " ")))
    return BLANK * (len(piece) - len(own)) + own


def words_of_pieces(labels: Sequence[str]) -> tuple[str, ...]:
    """Return readable pieces without the sign of a blank; a piece within a word begins with `##`.

    Pieces of a vocabulary that marks no blanks do not change.
    """
    if not any(label.startswith(BLANK) for label in labels):
        return tuple(labels)
    before = ("", *labels)
    return tuple(_without_blank(label, before[at][-1:].isalnum()) for at, label in enumerate(labels))


def _without_blank(label: str, follows_letter: bool) -> str:
    if label.startswith(BLANK):
        return label.lstrip(BLANK) or label
    return f"{CONTINUES}{label}" if follows_letter and label[:1].isalnum() else label


def _decoded(raw: bytes) -> str:
    """UTF-8, in which bytes that are no letter, or none that can be seen, are written as such."""
    return "".join(map(_seen, raw.decode("utf-8", errors="surrogateescape")))


def _seen(letter: str) -> str:
    if "\udc80" <= letter <= "\udcff":  # how Python keeps a byte that it could not decode
        return BYTE.format(ord(letter) - 0xDC00)
    return BYTE.format(ord(letter)) if unicodedata.category(letter) == "Cc" else letter
