"""Questions whose text, answers and solution are data: of views, of the path and of the exam.

An entry is a choice, a number to estimate, items to put in order, or shares to draw.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pages.contract.question import Estimate, Option, Question, Sketch
from pages.contract.question_builders import arrange, choose, sketch
from pages.data.entries import FOLDER, DataError, read_entries
from pages.data.links import Link


@dataclass(frozen=True, kw_only=True)
class StaticQuestion(ABC):
    """A question with its name, its text, and the reason for its right answer.

    `see` leads to the change that it asks about, and `reread` to the view that teaches it.
    """

    name: str
    text: str
    because: str
    see: Link | None = None
    reread: Link | None = None

    def __post_init__(self) -> None:
        """Raise ValueError for an invalid question."""
        try:
            self.asked()
        except AssertionError as error:
            raise ValueError(str(error)) from error

    @abstractmethod
    def asked(self) -> Question:
        """Return the question as pages ask it."""


@dataclass(frozen=True, kw_only=True)
class StaticChoice(StaticQuestion):
    """A choice: the right answer, and each wrong one with its correction."""

    right: str
    wrong: Mapping[str, str]

    def asked(self) -> Question:
        """Return the choice, with its options mixed."""
        assert self.right not in self.wrong, f"{self.right!r} is right and wrong"
        assert self.because not in self.wrong.values(), f"{self.because!r} is a reason twice"
        wrong = (Option(answer, False, why_not) for answer, why_not in self.wrong.items())
        asked = choose(self.text, Option(self.right, True), *wrong, because=self.because)
        assert asked is not None, "one answer is right, and others are wrong"
        return asked


@dataclass(frozen=True, kw_only=True)
class StaticEstimate(StaticQuestion):
    """A number between two bounds, and the numbers of misconceptions with their corrections."""

    number: float
    bounds: tuple[float, float]
    unit: str = ""
    decimals: int = 0
    near: float = 0.0
    mistaken: Mapping[float, str] = field(default_factory=dict)

    def asked(self) -> Question:
        """Return the number to estimate."""
        return Estimate(
            text=self.text,
            right=self.number,
            bounds=self.bounds,
            because=self.because,
            unit=self.unit,
            decimals=self.decimals,
            near=self.near,
            mistaken=tuple(self.mistaken.items()),
        )


@dataclass(frozen=True, kw_only=True)
class StaticOrder(StaticQuestion):
    """Items in their right order."""

    order: tuple[str, ...]

    def asked(self) -> Question:
        """Return the items to arrange, mixed."""
        assert len(set(self.order)) == len(self.order), f"an item is given twice: {self.text}"
        ranked = {item: -float(rank) for rank, item in enumerate(self.order)}
        asked = arrange(self.text, ranked, because=self.because, apart=0)
        assert asked is not None, f"2 to 5 items can be arranged, got {len(self.order)}"
        return asked


@dataclass(frozen=True)
class MistakenBars:
    """Bars of a misconception, in the order of the right ones, and their correction."""

    why: str
    bars: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class StaticBars(StaticQuestion):
    """Shares to be drawn, each with its label."""

    bars: Mapping[str, float]
    mistaken: tuple[MistakenBars, ...] = ()

    def asked(self) -> Question:
        """Return the row of bars to draw."""
        mistaken = tuple((one.bars, one.why) for one in self.mistaken)
        shares = tuple(self.bars.values())
        assert sketch(self.text, tuple(self.bars), shares, because=self.because), "2 to 16 bars can be drawn"
        return Sketch(
            text=self.text, labels=tuple(self.bars), right=shares, because=self.because, mistaken=mistaken
        )


KINDS: Mapping[str, type[StaticQuestion]] = {
    "right": StaticChoice,
    "number": StaticEstimate,
    "order": StaticOrder,
    "bars": StaticBars,
}
"""The kinds of questions by the key that only their entries have."""


def _read(name: str, folder: Path, *, to_reread: bool = False) -> Mapping[str, StaticQuestion]:
    """Return the questions of a file; all or none of them have a view `to_reread`."""
    read = read_entries(KINDS, name, folder=folder)
    for one in read.values():
        if (one.reread is not None) != to_reread:
            raise DataError(
                f"{name}, {one.name}: {'reread is missing' if to_reread else 'nothing to reread'}"
            )
    return read


def read_static_questions(folder: Path = FOLDER) -> Mapping[str, StaticQuestion]:
    """Return the questions of views by their names. Raises DataError for an invalid one."""
    return _read("static_questions.toml", folder)


def read_path_questions(folder: Path = FOLDER) -> Mapping[str, StaticQuestion]:
    """Return the questions of the path by their names. Raises DataError for an invalid one."""
    return _read("path_questions.toml", folder)


def read_exam(folder: Path = FOLDER) -> Mapping[str, StaticQuestion]:
    """Return the questions of the exam by their letters. Raises DataError for an invalid one."""
    return _read("exam.toml", folder, to_reread=True) if (folder / "exam.toml").exists() else {}


QUESTIONS = read_static_questions()
PATH_QUESTIONS = read_path_questions()
EXAM = read_exam()


def static_question(name: str) -> Question:
    """Return a question of the data."""
    return QUESTIONS[name].asked()
