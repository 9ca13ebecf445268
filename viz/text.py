"""Typed text in a figure: shown as the characters typed, never as markup."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from html import escape
from unicodedata import bidirectional, category, east_asian_width

LONGEST_LABEL = 8.5
"""The longest axis label in em, the unit of `em_width`: about sixteen letters, eight Chinese characters."""

MISSING = "�"
BLANK = "␣"
ELLIPSIS = "…"
NARROW = frozenset(" !'()*,-./:;I[]`fijlrt|·→")
WIDE = frozenset("%@MWmw—…")
REORDERING = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})


def plain(text: str) -> str:
    """Return `text` on one line for a table or a description, with invisible controls made visible.

    Characters that change the direction of text could make a label look different from the model's input, so
    they too are shown as a replacement character.
    """
    line = " ".join(text.split())
    if line.isascii() and line.isprintable():  # most texts: they have no hidden character
        return line
    return "".join(
        MISSING if category(sign) == "Cc" or bidirectional(sign) in REORDERING else sign for sign in line
    )


def quoted(text: str) -> str:
    """Return a word in quotation marks, for a title: `“are”`."""
    return f"“{plain(text) or BLANK}”"


def literal(text: str) -> str:
    """Return `text` so that Plotly shows its characters instead of reading them as markup.

    Plotly understands a little HTML in every label and hover. A typed `<b>` or `<a href=…>` has to appear as
    typed, and so does a dollar sign, which begins a formula if MathJax is loaded. Line breaks would end a
    label early, so they become spaces. A word that runs from right to left is isolated, or two of them would
    pull the arrow between them into their own order.
    """
    shown = escape(plain(text), quote=False).replace("$", "&#36;")
    is_isolated = not shown.isascii() and any(bidirectional(c) in RIGHT_TO_LEFT for c in shown)
    return f"\u2068{shown}\u2069" if is_isolated else shown


def label(text: str, *, longest: float = LONGEST_LABEL) -> str:
    """Return `text` as an axis label: literal, and cut with an ellipsis beyond `longest` em."""
    return literal(shortened(text, longest=longest))


def shortened(text: str, *, longest: float = LONGEST_LABEL) -> str:
    """Return the plain characters of a label: at most `longest` em of them, `␣` if none is visible."""
    shown = plain(text) or BLANK
    if em_width(shown) <= longest:
        return shown
    kept, width = "", em_width(ELLIPSIS)
    for character in shown:
        width += em_width(character)
        if width > longest:
            break
        kept += character
    return kept + ELLIPSIS


def whole_words(text: str, *, longest: float) -> str:
    """Return whole words of a sentence in at most `longest` em, then `…`; a longer first word is cut."""
    words = plain(text).split()
    for n in range(len(words), 0, -1):
        shown = " ".join(words[:n]) + f" {ELLIPSIS}" * (n < len(words))
        if em_width(shown) <= longest:
            return shown
    return shortened(text, longest=longest)


def wrapped(text: str, longest: float) -> list[str]:
    """Return `text` in lines of whole words, at most `longest` em, none beginning with a punctuation mark."""
    lines = [""]
    for word in re.findall(r"\S+(?: [.,;:!?…](?!\S))*", text):
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and em_width(longer) > longest:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def fitting_size(text: str, room: float, *, usual: int, smallest: int) -> int:
    """Return the type size in whole pixels at which `text` takes `room` pixels, within both limits."""
    return max(smallest, int(min(usual, room / max(1.0, em_width(text)))))


def em_width(text: str) -> float:
    """Return the width of `text` in units of its type size, rather too wide than too narrow.

    Estimated for the widest font of the figures' family (Arial): the server draws nothing, so it cannot
    measure, and a figure has to leave room before the browser does.
    """
    return sum(_character_width(character) for character in text)


@lru_cache(4096)
def _character_width(character: str) -> float:
    if category(character) in ("Mn", "Me", "Cf"):
        return 0.0
    if east_asian_width(character) in "WF":
        return 1.05
    if character in NARROW:
        return 0.36
    if character in WIDE:
        return 1.02
    if character.isupper() or category(character) in ("Lo", "No", "So"):
        return 0.75
    return 0.6


def unique_words(words: Sequence[str]) -> list[str]:
    """Return `words` as unique labels: a repeated word carries its position, counted from 1."""
    shown = [plain(word) or BLANK for word in words]
    numbered = [f"{word} ({at})" for at, word in enumerate(shown, start=1)]
    counts = Counter(shown)
    labels = [many if counts[word] > 1 else word for word, many in zip(shown, numbered, strict=True)]
    return labels if len(set(labels)) == len(labels) else numbered
