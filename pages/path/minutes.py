"""Minutes that the path takes, from the counts of words, pictures, questions and clicks of its stops."""

import json
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from functools import cache
from operator import add

from pages.data.entries import FOLDER

FILE = FOLDER / "minutes.json"

OF_EXAM = "Exam"

WORDS_A_MINUTE = 180
"""Words that a reader reads in a minute: slower than a novel, because the content is new."""

LOOKING, ANSWERING, CLICKING = 30, 40, 3
"""Seconds for a picture, for a question beside the reading of its words, and for a click."""


@dataclass(frozen=True)
class Effort:
    """Counts of the words, pictures, questions and clicks of a reader."""

    words: int = 0
    pictures: int = 0
    questions: int = 0
    clicks: int = 0

    def __add__(self, other: "Effort") -> "Effort":
        return Effort(*map(add, astuple(self), astuple(other)))

    @property
    def minutes(self) -> float:
        """Return the estimate in minutes."""
        acting = LOOKING * self.pictures + ANSWERING * self.questions + CLICKING * self.clicks
        return self.words / WORDS_A_MINUTE + acting / 60


@cache
def efforts() -> Mapping[str, Effort]:
    """Return the counts of each stop, by its title, and of the exam."""
    counted = json.loads(FILE.read_text("utf-8"))
    return {title: Effort(**one) for title, one in counted.items()}


def about_minutes(title: str) -> str:
    """Return how long a stop takes, in words; empty if it was not counted."""
    effort = efforts().get(title)
    return "" if effort is None else f"about {max(round(effort.minutes), 1)} min"


def about_all() -> str:
    """Return how long all stops take together, to ten minutes."""
    minutes = sum(effort.minutes for title, effort in efforts().items() if title != OF_EXAM)
    return f"about {10 * max(round(minutes / 10), 1)} minutes"
