"""Sentences of a sheet without their Markdown, for files that show letters as they are."""

import re

from pages.controls.prose import JOINER

LINK = re.compile(r"(?<!\\)\[((?:[^\[\]\\]|\\.)*)\]\((?:[^()\\]|\\.)*\)")
"""`[text](address)`, of which the text stays."""

MARK = re.compile(r"(?<!\\)(\*{1,3}|`|\$)(?=\S)((?:\\.|(?!\1).)+?)(?<=\S)\1", re.DOTALL)
"""What is emphasised, set as code or as a formula, between two of the same signs."""

ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


DEEPEST = 3
"""How many marks stand in each other at most: a formula in a bold sentence."""


def plain(markdown: str) -> str:
    """The characters that a reader of the page sees, on as many lines."""
    text = LINK.sub(r"\1", markdown.replace(JOINER, ""))
    for _ in range(DEEPEST):
        text = MARK.sub(r"\2", text)
    return ESCAPED.sub(r"\1", text)
