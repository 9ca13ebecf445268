"""Errors about folders of models, each with a sentence that a page can show."""

import unicodedata

LONGEST = 1000
"""Greatest number of characters of a sentence: a folder can have names of any length."""

UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""Categories of characters that are invisible or cannot be part of a text."""


class FolderError(ValueError):
    """A folder that cannot be read as a model; the message names the part and what was expected."""

    def __init__(self, text: str) -> None:
        shown = visible_text(" ".join(text.split()))
        super().__init__(shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}…")


class NumbersError(FolderError):
    """A tensor with an infinite number or NaN; the rest of it may be valid."""


class ReplacedError(FolderError):
    """A file that was replaced while it was read: the folder may be valid, and can be read again."""


def visible_text(text: str) -> str:
    """Return a text with invisible characters as codes: `⟨200B⟩`."""
    return "".join(f"⟨{ord(sign):04X}⟩" if unicodedata.category(sign) in UNSEEN else sign for sign in text)


class FetchError(OSError):
    """A model could not be fetched, or its package has unexpected content."""
