"""Questions of views, the path and the exam as data: choices, numbers, orders and shares to draw."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field

from pages.contract.question import Estimate, Option, Question, Sketch
from pages.contract.question_builders import arrange, choose
from pages.data.entries import read_entries
from pages.data.links import Link


@dataclass(frozen=True, kw_only=True)
class StaticQuestion(ABC):
    """A question with its reason; `see` leads to the change it asks about, `reread` to what teaches it."""

    name: str
    text: str
    because: str
    see: Link | None = None
    reread: Link | None = None

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
        return Sketch(
            text=self.text,
            labels=tuple(self.bars),
            right=tuple(self.bars.values()),
            because=self.because,
            mistaken=tuple((one.bars, one.why) for one in self.mistaken),
        )


KINDS: Mapping[str, type[StaticQuestion]] = {
    "right": StaticChoice,
    "number": StaticEstimate,
    "order": StaticOrder,
    "bars": StaticBars,
}
"""The kinds of questions by the key that only their entries have."""


QUESTIONS = read_entries(KINDS, "static_questions.toml")
PATH_QUESTIONS = read_entries(KINDS, "path_questions.toml")
EXAM = read_entries(KINDS, "exam.toml")
"""The questions of views and of the path by their names, and of the exam by their letters."""


def static_question(name: str) -> Question:
    """Return a question of the data."""
    return QUESTIONS[name].asked()
