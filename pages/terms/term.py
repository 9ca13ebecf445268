"""A term of the field as data: how it is written, what it means, and the view that shows it."""

import re
from dataclasses import dataclass
from urllib.parse import quote

from pages.data.links import Link

GLOSSARY = "/glossary?term="
"""How the link of every entry begins."""

LONGEST = 200
"""Greatest number of characters of a sentence: a longer one needs a second reading."""

ONE_SENTENCE = r"[A-Z][^.!?\"|]*(?:\.\w[^.!?\"|]*)*\."
"""One plain sentence that a table and the title of a link can hold, as a regular expression."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Term:
    """A term with one plain sentence that says what it is, and perhaps one that gives the `reason` for it.

    `also` are other spellings in prose, the plural of each understood. `searched` are words with which
    students search for it, and which no prose of the app uses. `switches` are what the link sets it
    with, such as `norm`, or `norm=pre`, whose `pre` would mean something else in prose. A term that is an
    ordinary word too is meant only where the sheet has what it stands `beside`. `symbol` and `formula` are
    LaTeX, `shape` is in the words of the code. `view` is the view that shows it.
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

    def __post_init__(self) -> None:
        """Raise ValueError for what the table of the glossary cannot show."""
        for name, said in {"sentence": self.sentence, "reason": self.reason or self.sentence}.items():
            if re.fullmatch(ONE_SENTENCE, said) is None or len(said) >= LONGEST:
                raise ValueError(f"{name} must be one plain sentence of fewer than {LONGEST} characters")
        if "|" in self.symbol + self.shape + self.formula:
            raise ValueError("a table would end its cell at |")
        if not self.view.view:
            raise ValueError("view must name a view")

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
        title, view = self.view.entry.title, self.view.view
        title = title if view == self.view.address else f"{title}: {view}"
        return f"[{title}]({self.view.path})"

    @property
    def entry(self) -> str:
        """The link of its entry in the glossary."""
        return f"{GLOSSARY}{quote(self.name, safe='')}"


def escaped(text: str) -> str:
    """Our own text, without the signs that Markdown would take for markup."""
    return re.sub(r"([\\`*_<\[\]$|~])", r"\\\1", text)
