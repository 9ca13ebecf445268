"""Typed text on its way into a sentence of the page: shown as the characters typed, whatever they are."""

import re

LONGEST_QUOTE = 60
JOINER = "\u2060"
"""A sign without width and without meaning."""


def literal(text: str, *, longest: int = LONGEST_QUOTE) -> str:
    """`text` for st.markdown and its kin: every sign that could be markup is escaped.

    Without this, `![](http://…)` in a link would make the browser fetch a picture from elsewhere. An escape
    alone leaves `->` an arrow, `:streamlit:` a picture and an address something to click, so the signs that
    make these are parted from what is before them. What is longer than `longest` is cut.
    """
    shown = text if len(text) <= longest else text[: longest - 1] + "…"
    escaped = re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", " ".join(shown.split()))
    return re.sub(r"(\\[-./:<=>@~])", rf"{JOINER}\1", escaped)
