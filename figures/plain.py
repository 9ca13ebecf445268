"""Sentences and cells of a sheet without Markdown, for formats of plain text."""

import re
from html import escape

from pages.contract.prose import JOINER
from viz.latex import as_text

LINK = re.compile(r"(?<!\\)\[((?:[^\[\]\\]|\\.)*)\]\((?:[^()\\]|\\.)*\)")
"""A link `[text](address)`; its text stays."""

MARK = re.compile(r"(?<!\\)(\*{1,3}|`|\${1,2})(?=\S)((?:\\.|(?!\1)[^\\])+?)(?<=\S)\1", re.DOTALL)
"""Emphasis, code or a formula, between two of the same signs.

A backslash matches in one way only: with two ways, the time would double with each backslash.
"""

ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")

IN, OUT = "\x02", "\x03"
"""The beginning and the end of italics: signs that no text on a page has."""

BOLD, THIN = "\x0e", "\x0f"
"""The beginning and the end of bold words."""

DEEPEST = 3
"""Greatest depth of nested marks: a formula in a bold sentence."""


def plain(markdown: str) -> str:
    """Return the characters that a reader of the page sees; formulas become characters where possible."""
    return "".join(text for text, _ in runs(markdown))


def runs(markdown: str) -> list[tuple[str, bool]]:
    """Return the pieces of `plain`, each with whether it is in italics."""
    pieces = re.split(f"[{IN}{OUT}]", re.sub(f"[{BOLD}{THIN}]", "", _signed(markdown)))
    return [(piece, bool(at % 2)) for at, piece in enumerate(pieces) if piece]


def quoting(markdown: str) -> str:
    """Return `plain` with quotation marks around words in italics."""
    return "".join(f"“{text}”" if is_italic else text for text, is_italic in runs(markdown))


def as_html(markdown: str) -> str:
    """Return `plain` as HTML, with its italics."""
    written = ((escape(text), is_italic) for text, is_italic in runs(markdown))
    return "".join(f"<em>{text}</em>" if is_italic else text for text, is_italic in written)


def rich_html(markdown: str) -> str:
    """Return `plain` as HTML, with its italics and its bold words."""
    text = escape(_signed(markdown))
    for sign, tag in {IN: "<em>", OUT: "</em>", BOLD: "<strong>", THIN: "</strong>"}.items():
        text = text.replace(sign, tag)
    return text


def _signed(markdown: str) -> str:
    """Return a text without its marks, but with a sign at each end of emphasis."""
    text = LINK.sub(r"\1", re.sub(f"[{JOINER}{IN}{OUT}{BOLD}{THIN}]", "", markdown))
    for _ in range(DEEPEST):
        text = MARK.sub(_unmarked, text)
    return ESCAPED.sub(r"\1", text)


def _unmarked(said: re.Match[str]) -> str:
    sign, inner = said.groups()
    if sign.startswith("$"):
        return as_text(inner)
    inner = f"{IN}{inner}{OUT}" if sign in ("*", "***") else inner
    return f"{BOLD}{inner}{THIN}" if sign in ("**", "***") else inner
