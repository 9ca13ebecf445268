"""A term of the field as data: how it is written, what it means, and the view that shows it."""

import re
from dataclasses import dataclass
from itertools import chain
from urllib.parse import quote

from pages import GROUPS, Entry

GLOSSARY = "/glossary?term="
"""How the link of every entry begins."""


@dataclass(frozen=True, kw_only=True)
class Term:
    """A term with one plain sentence that says what it is.

    `also` are other spellings in prose, the plural of each understood. `switches` are what the link sets it
    with, such as `norm`, or `norm=pre`, whose `pre` would mean something else in prose. A term that is an
    ordinary word too is meant only where the sheet has what it stands `beside`. `symbol` and `formula` are
    LaTeX, `shape` is in the words of the code. `shown` is the view that shows it: the folder of its page, and
    its name there.
    """

    name: str
    sentence: str
    shown: tuple[str, str]
    also: tuple[str, ...] = ()
    switches: tuple[str, ...] = ()
    beside: str = ""
    symbol: str = ""
    shape: str = ""
    formula: str = ""

    @property
    def spellings(self) -> tuple[str, ...]:
        """All that it is called in prose."""
        return self.name, *self.also

    @property
    def markdown(self) -> str:
        """The sentence as Markdown."""
        return escaped(self.sentence)

    @property
    def place(self) -> str:
        """The view that shows it, as a link in Markdown."""
        view = self.shown[1]
        title = self._page.title if view == self._page.address else f"{self._page.title}: {view}"
        return f"[{title}](/{self._page.address}?view={quote(view)})"

    @property
    def entry(self) -> str:
        """The link of its entry in the glossary."""
        return f"{GLOSSARY}{quote(self.name, safe='')}"

    @property
    def _page(self) -> Entry:
        entries = chain.from_iterable(GROUPS.values())
        return next(entry for entry in entries if entry.folder == self.shown[0])


def escaped(text: str) -> str:
    """Our own text, without the signs that Markdown would take for markup."""
    return re.sub(r"([\\`*_<\[\]$|~])", r"\\\1", text)
