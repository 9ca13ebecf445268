"""Questions whose text, answers and solution are the same for every sentence and model."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pages.contract.predict import choose
from pages.contract.question import Choose, Option
from pages.data.entries import FOLDER, read_entries


@dataclass(frozen=True)
class StaticQuestion:
    """A choice by its name: the right answer with its reason, and wrong ones with what is true instead."""

    name: str
    text: str
    right: str
    because: str
    wrong: Mapping[str, str]

    def __post_init__(self) -> None:
        """Raise ValueError unless each answer and each reason is another one."""
        if self.right in self.wrong:
            raise ValueError(f"{self.right!r} is right and wrong")
        if self.because in self.wrong.values():
            raise ValueError(f"{self.because!r} is a reason twice")


def read_static_questions(folder: Path = FOLDER) -> Mapping[str, StaticQuestion]:
    """Return the questions of the data by their names. Raises DataError for a wrong one."""
    return read_entries(StaticQuestion, "questions.toml", folder=folder)


QUESTIONS = read_static_questions()


def static_question(name: str) -> Choose:
    """Return a question of the data."""
    one = QUESTIONS[name]
    wrong = (Option(answer, False, why_not) for answer, why_not in one.wrong.items())
    asked = choose(one.text, Option(one.right, True), *wrong, because=one.because)
    assert asked is not None, "one answer is right, and others are wrong"
    return asked
