"""Pieces of a vocabulary in readable form, with any signs for blanks and bytes."""

import re
import unicodedata
from collections.abc import Sequence

BEGINS_WORD, CONTINUES = ("Ġ", "▁"), "##"
"""Marks of a piece after a blank, and of a piece that continues a word."""

BLANK = "␣"

FALLBACK = re.compile("<0x([0-9A-F]{2})>")
"""A byte for which a vocabulary of signs has no sign."""


def _signs_of_bytes() -> dict[str, int]:
    """Return GPT-2's sign for each byte: its own if Latin-1 prints it, else from 256 on."""
    printed = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    others = [byte for byte in range(256) if byte not in printed]
    return {chr(byte): byte for byte in printed} | {chr(256 + at): byte for at, byte in enumerate(others)}


BYTE = "⟨{:02X}⟩"
"""A byte that is not a letter alone."""

BYTES = _signs_of_bytes()


def readable(piece: str, *, in_bytes: bool) -> str:
    """Return a piece with readable blanks and letters: `Ġit` is `␣it`, a lone byte `⟨C3⟩`."""
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
    """Return decoded UTF-8, with bytes that are no visible letter written as codes."""
    return "".join(map(_seen, raw.decode("utf-8", errors="surrogateescape")))


def _seen(letter: str) -> str:
    if "\udc80" <= letter <= "\udcff":  # how Python keeps a byte that it could not decode
        return BYTE.format(ord(letter) - 0xDC00)
    return BYTE.format(ord(letter)) if unicodedata.category(letter) == "Cc" else letter
