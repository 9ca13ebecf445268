"""Typed text in sentences of the page: shown exactly as typed."""

import re

LONGEST_QUOTE = 60
JOINER = "\u2060"
"""A sign without width and without meaning."""


class Typed(str):
    """Text typed by a visitor or carried by a link; an f-string escapes it automatically.

    So no sentence can forget to escape it. `f"{text:80}"` quotes up to 80 characters of it. Figures, tables
    and the model take the characters themselves, `str(text)`.
    """

    __slots__ = ()

    def __format__(self, longest: str) -> str:
        return literal(str(self), longest=int(longest or LONGEST_QUOTE))


def in_units(text: str, unit: str) -> str:
    """Return a text about words, never a typed one, as a text about the model's `unit`: word or token."""
    return re.sub(r"\bword(s?)\b", rf"{unit}\1", text)


def unbroken(markdown: str) -> str:
    """Return a sentence in which no line begins with a per cent sign."""
    return markdown.replace(" %", "\u00a0%")


def plain(value: object) -> object:
    """Return `value` with typed text, alone or in a tuple, as plain strings."""
    if isinstance(value, Typed):
        return str(value)
    if isinstance(value, tuple) and any(isinstance(one, Typed) for one in value):
        return tuple(map(str, value))
    return value


def literal(text: str, *, longest: int = LONGEST_QUOTE) -> str:
    """Return `text` for st.markdown and similar functions, with every markup sign escaped.

    Without this, `![](http://…)` in a link would make the browser fetch a picture from elsewhere. Escapes do
    not stop `->` from becoming an arrow, `:streamlit:` a picture and an address a link, so these signs are
    parted from the sign before them. Text longer than `longest` is cut.
    """
    shown = text if len(text) <= longest else text[: longest - 1] + "…"
    escaped = re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", " ".join(shown.split()))
    return re.sub(r"(\\[-./:<=>@~])", rf"{JOINER}\1", escaped)


def bold(markdown: str) -> str:
    """Return escaped text in bold beside any character: Markdown shows asterisks beside a letter."""
    return f"**{JOINER}{markdown}{JOINER}**"


_SIGNS_SET_OFF = re.compile(
    rf"(?<![*\\\w])(\*{{1,2}})((?:\\[!-/:-@\[-`{{-~]|[^\w\s*\\])+)(?<!{JOINER})\1(?![*\w])"
)
"""Signs without a letter or a digit, in italics or in bold; text made by `bold` does not match."""


def signs_quoted(markdown: str) -> str:
    """Return Markdown in which signs alone, such as a bracket, are quoted instead of in italics or bold.

    A reader does not notice that a bracket is slanted, and a full stop would end the sentence.
    """
    return _SIGNS_SET_OFF.sub(r"“\2”", markdown)


def set_off(word: str, *, style: str = "*") -> str:
    """Return a word as a sentence names it: set off by `style`, or in quotation marks if it is a sign."""
    is_word = any(map(str.isalnum, word))
    return f"{style}{literal(word)}{style}" if is_word else f"“{literal(word)}”"
