"""Typed text on its way into a sentence of the page: shown as the characters typed, whatever they are."""

import re

LONGEST_QUOTE = 60
JOINER = "\u2060"
"""A sign without width and without meaning."""


class Typed(str):
    """Text that somebody typed or that a link carries: in an f-string it comes out escaped, by itself.

    So no sentence can forget to. `f"{text:80}"` quotes up to 80 characters of it. Figures, tables and the
    model want the characters themselves, `str(text)`.
    """

    __slots__ = ()

    def __format__(self, longest: str) -> str:
        return literal(str(self), longest=int(longest or LONGEST_QUOTE))


def in_units(text: str, unit: str) -> str:
    """A text about words, as one about what a model reads in their place: `unit` is `word` or `piece`.

    Not for text that somebody typed.
    """
    return re.sub(r"\bword(s?)\b", rf"{unit}\1", text)


def unbroken(markdown: str) -> str:
    """A sentence in which no line begins with a sign of per cent."""
    return markdown.replace(" %", "\u00a0%")


def plain(value: object) -> object:
    """`value` with typed text in it, or in the tuple that it is, as mere characters."""
    if isinstance(value, Typed):
        return str(value)
    if isinstance(value, tuple) and any(isinstance(one, Typed) for one in value):
        return tuple(map(str, value))
    return value


def literal(text: str, *, longest: int = LONGEST_QUOTE) -> str:
    """`text` for st.markdown and its kin: every sign that could be markup is escaped.

    Without this, `![](http://…)` in a link would make the browser fetch a picture from elsewhere. An escape
    alone leaves `->` an arrow, `:streamlit:` a picture and an address something to click, so the signs that
    make these are parted from what is before them. What is longer than `longest` is cut.
    """
    shown = text if len(text) <= longest else text[: longest - 1] + "…"
    escaped = re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", " ".join(shown.split()))
    return re.sub(r"(\\[-./:<=>@~])", rf"{JOINER}\1", escaped)


def bold(markdown: str) -> str:
    """Escaped text in bold, wherever it stands: a sign beside a word would keep its asterisks.

    Markdown reads asterisks between a letter and a sign as characters, and not as bold.
    """
    return f"**{JOINER}{markdown}{JOINER}**"


_SIGNS_SET_OFF = re.compile(
    rf"(?<![*\\\w])(\*{{1,2}})((?:\\[!-/:-@\[-`{{-~]|[^\w\s*\\])+)(?<!{JOINER})\1(?![*\w])"
)
"""Signs without a letter or a digit, in italics or in bold; text of `bold` is none."""


def signs_quoted(markdown: str) -> str:
    """Return Markdown in which signs alone, such as a bracket, are quoted where they were in italics or bold.

    A slanted bracket is not seen to be set off, and a full stop would end the sentence.
    """
    return _SIGNS_SET_OFF.sub(r"“\2”", markdown)


def set_off(word: str, *, style: str = "*") -> str:
    """A word as a sentence names it: set off by `style`, or by quotation marks where it is a sign.

    A full stop in italics would end the sentence.
    """
    is_word = any(map(str.isalnum, word))
    return f"{style}{literal(word)}{style}" if is_word else f"“{literal(word)}”"
