"""A term of the field as data: its spellings, its meaning, and the view that shows it."""

import re
from dataclasses import dataclass
from urllib.parse import quote

from pages.data.links import Link

GLOSSARY = "/glossary?term="


@dataclass(frozen=True, kw_only=True, eq=False)
class Term:
    """A term with one plain sentence on its meaning, and perhaps a second one that gives the `reason`.

    `also` are other spellings in prose, each with its plural. `searched` are words that students search for,
    but that no prose of the app uses. `switches` are settings that stand for the term in a link, such as
    `norm`, or `norm=pre`, whose `pre` would mean something else in prose. A term that is also an ordinary
    word is meant only if the sheet has the word `beside`. `symbol` and `formula` are LaTeX, `shape` uses the
    names of the code. `view` is the view that shows it.
    """

    name: str
    sentence: str
    view: Link
    reason: str = ""
    also: tuple[str, ...] = ()
    searched: tuple[str, ...] = ()
    switches: tuple[str, ...] = ()
    beside: str = ""
    symbol: str = ""
    shape: str = ""
    formula: str = ""

    @property
    def spellings(self) -> tuple[str, ...]:
        """Return all names of the term in prose."""
        return self.name, *self.also

    @property
    def markdown(self) -> str:
        """Return the sentence as Markdown."""
        return escaped(self.sentence)

    @property
    def place(self) -> str:
        """Return a Markdown link to the view that shows it."""
        title, view = self.view.entry.title, self.view.view
        title = title if view == self.view.address else f"{title}: {view}"
        return f"[{title}]({self.view.path})"

    @property
    def entry(self) -> str:
        """Return the link of its entry in the glossary."""
        return f"{GLOSSARY}{quote(self.name, safe='')}"


def escaped(text: str) -> str:
    """Return text of the app, without the signs that Markdown would take for markup."""
    return re.sub(r"([\\`*_<\[\]$|~])", r"\\\1", text)
