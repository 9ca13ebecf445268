"""Sentences and cells of a sheet without their Markdown, for what shows letters as they are."""

import re
from html import escape

from pages.contract.prose import JOINER
from viz.latex import as_text

LINK = re.compile(r"(?<!\\)\[((?:[^\[\]\\]|\\.)*)\]\((?:[^()\\]|\\.)*\)")
"""`[text](address)`, of which the text stays."""

MARK = re.compile(r"(?<!\\)(\*{1,3}|`|\${1,2})(?=\S)((?:\\.|(?!\1)[^\\])+?)(?<=\S)\1", re.DOTALL)
"""What is emphasised, set as code or as a formula, between two of the same signs.

A backslash has one way to be read: with two, the time would double with each of them.
"""

ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")

IN, OUT = "\x02", "\x03"
"""Signs that no text on a page has: italics begin and end here."""

BOLD, THIN = "\x0e", "\x0f"
"""The same for bold words."""

DEEPEST = 3
"""Greatest depth of nested marks: a formula in a bold sentence."""


def plain(markdown: str) -> str:
    """The characters that a reader of the page sees, on as many lines; formulas as far as there are such."""
    return "".join(text for text, _ in runs(markdown))


def runs(markdown: str) -> list[tuple[str, bool]]:
    """Return what `plain` returns in pieces, each with whether a reader sees it in italics."""
    pieces = re.split(f"[{IN}{OUT}]", re.sub(f"[{BOLD}{THIN}]", "", _signed(markdown)))
    return [(piece, bool(at % 2)) for at, piece in enumerate(pieces) if piece]


def quoting(markdown: str) -> str:
    """Return `plain`, with quotation marks around what stands in italics."""
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
    """Return a text without its marks, and with a sign at each end of emphasis."""
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
