"""Questions of a lecture hall, each with a link that answers it."""

from dataclasses import dataclass

from pages.contract.real import is_absent
from pages.data.entries import read_entries
from pages.data.links import Link
from pages.home.search import begins_words_of, words_in


@dataclass(frozen=True, kw_only=True)
class HallQuestion:
    """A question, the link that answers it, and other phrases that a reader types for it."""

    name: str
    question: str
    link: Link
    searched: tuple[str, ...]

    @property
    def _phrases(self) -> list[list[str]]:
        return [words_in(one) for one in (self.question, *self.searched)]

    def is_called(self, wanted: str) -> bool:
        """Return whether the text is a whole phrase of this question."""
        return words_in(wanted) in self._phrases

    def matches(self, wanted: str) -> bool:
        """Return whether the text is a phrase, or several words, of this question."""
        words = words_in(wanted)
        known = {word for phrase in self._phrases for word in phrase}
        return self.is_called(wanted) or (len(words) > 1 and begins_words_of(words, known))


ASKED = read_entries(HallQuestion, "asked.toml")


def asked_for(wanted: str, here: str = "") -> list[HallQuestion]:
    """Return the questions for a search, those with exactly this phrase first.

    Among these the questions about the page at the address `here` come first. A
    question about a real model is left out if the model is not on this server.
    """
    found = [one for one in ASKED.values() if one.matches(wanted) and not is_absent(one.link.path)]
    return sorted(found, key=lambda one: (not one.is_called(wanted), one.link.address != here))
