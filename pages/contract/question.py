"""A question on a result of a view, asked before the view shows it.

Texts are Markdown with emphasis only, `*word*`; typed text in them is a `Typed`.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pages.contract.prose import Typed, signs_quoted


@dataclass(frozen=True)
class Option:
    """An answer to choose.

    `holds` says whether it is right by the view's results; None if that is not clear, within a margin.
    `why_not` resolves the misconception behind a wrong answer, if there is one.
    """

    text: str
    holds: bool | None
    why_not: str = ""


@dataclass(frozen=True, kw_only=True)
class Choose:
    """A choice among answers; exactly one holds, and `because` says why."""

    text: str
    options: tuple[Option, ...]
    because: str

    def __post_init__(self) -> None:
        holds = [one.holds for one in self.options]
        assert len(holds) > 1, f"nothing to choose: {self.text}"
        assert None not in holds, f"an option is neither right nor wrong: {self.text}"
        assert sum(map(bool, holds)) == 1, f"{sum(map(bool, holds))} options are right: {self.text}"
        _assert_distinct(self.text, [one.text for one in self.options])
        reasons = [one.why_not for one in self.options if one.why_not]
        assert self.because not in reasons, f"said twice: {self.because}"

    @property
    def right(self) -> int:
        """Number of the option that holds, counted from 0."""
        return next(at for at, one in enumerate(self.options) if one.holds)


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A number with its unit, between two bounds.

    An answer counts as right if it differs from `right` by at most `near`, and by at most half of `right`;
    half of the last digit is always allowed. `mistaken` are values that come from a known
    misconception, each with the sentence that resolves it.
    """

    text: str
    right: float
    bounds: tuple[float, float]
    because: str
    unit: str = ""
    decimals: int = 0
    near: float = 0.0
    mistaken: tuple[tuple[float, str], ...] = ()

    def __post_init__(self) -> None:
        smallest, largest = self.bounds
        assert smallest <= self.right <= largest, f"{self.right} cannot be answered: {self.text}"
        near = [value for value, _ in self.mistaken if abs(value - self.right) <= self.near]
        assert not near, f"{near[0]:g} is mistaken and near to {self.right:g}: {self.text}"
        _assert_distinct(self.text, [f"{value:g}" for value, _ in self.mistaken])


@dataclass(frozen=True, kw_only=True)
class Sketch:
    """A row of bars to be drawn, a bar for each label; `shares` sum to 1 and are drawn as per cent.

    Other values are at most `largest`, in `unit`; those that `are_whole` can only be drawn as whole numbers.
    `mistaken` are drawings that come of a known misconception, each with the sentence that resolves it.
    """

    text: str
    labels: tuple[str, ...]
    right: tuple[float, ...]
    because: str
    shares: bool = True
    largest: float = 1.0
    unit: str = ""
    are_whole: bool = False
    mistaken: tuple[tuple[tuple[float, ...], str], ...] = ()

    def __post_init__(self) -> None:
        drawings = [self.right, *(bars for bars, _ in self.mistaken)]
        assert len(self.right) > 1, f"nothing to draw: {self.text}"
        for bars in drawings:
            assert len(self.labels) == len(bars), f"bars and labels differ: {self.text}"
            assert all(0 <= value <= self.largest * (1 + 1e-6) for value in bars), self.text
            assert not self.shares or abs(sum(bars) - 1) < 1e-3, f"shares sum to {sum(bars):g}: {self.text}"
        _assert_distinct(self.text, [" ".join(f"{value:g}" for value in bars) for bars in drawings])


@dataclass(frozen=True, kw_only=True)
class Arrange:
    """Items to be put in order; `right` are their numbers in the right one, counted from 0."""

    text: str
    items: tuple[str, ...]
    right: tuple[int, ...]
    because: str

    def __post_init__(self) -> None:
        assert sorted(self.right) == list(range(len(self.items))), f"no order of {self.items}: {self.right}"
        assert len(self.items) > 1, f"nothing to arrange: {self.text}"
        _assert_distinct(self.text, self.items)


Question = Choose | Estimate | Sketch | Arrange


def solution(question: Question) -> str:
    """Return the right answer as a text."""
    match question:
        case Choose():
            return question.options[question.right].text
        case Estimate():
            return f"{question.right:.{question.decimals}f} {question.unit}".rstrip()
        case Sketch():
            scale, unit = (100, "%") if question.shares else (1, question.unit)
            decimals = decimals_of(question.right) if question.shares else 0
            bars = zip(question.labels, question.right, strict=True)
            return ", ".join(
                f"{Typed(label)} {scale * value:.{decimals}f} {unit}".rstrip() for label, value in bars
            )
        case Arrange(items=items, right=right):
            return ", ".join(items[at] for at in right)


def decimals_of(shares: Sequence[float]) -> int:
    """Return 1 if shares in whole per cent do not sum to 100 and with one decimal do, else 0."""
    sums = [round(sum(round(100 * share, decimals) for share in shares), 1) for decimals in (0, 1)]
    return int(sums[0] != 100 and sums[1] == 100)


def as_data(question: Question) -> dict[str, Any]:
    """Return a question as plain data for the browser, with its kind and its solution."""
    kind = type(question).__name__.lower()
    data = {"kind": kind, "solution": solution(question), **asdict(question), "right": question.right}
    quoted: dict[str, Any] = _quoted(data)
    return quoted


def _quoted(value: Any) -> Any:
    """Return data with signs in quotation marks in all its texts."""
    match value:
        case str():
            return signs_quoted(value)
        case dict():
            return {name: _quoted(one) for name, one in value.items()}
        case list() | tuple():
            return type(value)(map(_quoted, value))
    return value


def _assert_distinct(text: str, answers: Sequence[str]) -> None:
    twice = [answer for answer, n in Counter(answers).items() if n > 1]
    assert not twice, f"{twice} can be answered twice: {text}"
