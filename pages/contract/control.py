"""A control as data: a declared parameter, what one view knows of it besides, and how a link spells it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pages.contract.parameters import declared
from pages.contract.parameters.declared import COMPUTED, Kind
from pages.contract.prose import Typed

MOST_STOPS = 16
"""Most options that all stand there; of more, a few stand for all where a link asks for another one."""

ON_OFF = ("true", "false")


@dataclass(frozen=True)
class Control:
    """A parameter as one view asks for it: its label, its options if it has some, and its value at first.

    `bounds` are the smallest and the largest number; `unchosen` is shown while there is none. A number that
    `clamps` becomes the largest there is, where that has fallen below it. `unspell` reads what a view spells
    itself, and raises ValueError with the reason where it cannot.
    """

    name: str
    kind: Kind
    label: str = ""
    options: tuple[Any, ...] = ()
    default: Any = None
    bounds: tuple[int, int] | None = None
    unchosen: str = "none"
    clamps: bool = False
    unspell: Callable[[str], Any] = str

    def accepts(self, spelling: Sequence[str]) -> bool:
        """Whether a link may give the parameter these values; there is at least one."""
        alone = self.kind == "several" or len(spelling) == 1
        return alone and all(map(self._is_possible, spelling))

    def read(self, spelling: Sequence[str]) -> Any:
        """The value that a link means which the control `accepts`."""
        if self.kind == "several":
            return list(spelling)
        (one,) = spelling
        if self.kind == "one of":
            return next(option for option in self.options if str(option) == one)
        if self.kind == "switch":
            return one.lower() == "true"
        if self.kind == "number":
            return int(one)
        return self.unspell(one) if self.kind == "spelt" else one

    def possible_of(self, spelling: Sequence[str]) -> list[str]:
        """Return what is shown of a choice made elsewhere that is impossible here as a whole."""
        if self.kind == "several":
            return [one for one in spelling if self._is_possible(one)]
        if self.clamps and self.bounds is not None and _is_between(spelling[0], 1, 10**9):
            return [str(self.bounds[1])]
        return []

    def why_not(self, spelling: Sequence[str]) -> str:
        """Why the link cannot say this, as the end of a sentence."""
        if self.kind != "spelt":
            return f"here it can be {self.possible}"
        if len(spelling) > 1:
            return "it has one value"
        try:
            self.unspell(*spelling)
        except ValueError as error:
            return f"{Typed(error):200}"
        raise AssertionError(f"{self.name} accepts {spelling}")

    @property
    def possible(self) -> str:
        """What the parameter can be, for a note."""
        if self.kind == "number":
            return " to ".join(map(str, self.bounds or ()))
        return "true or false" if self.kind == "switch" else _in_short(self.options)

    @property
    def at_first(self) -> str:
        """What is shown where nobody has said anything, for a note."""
        if self.kind in ("several", "spelt") or self.default is None:
            return self.unchosen
        return spelt(self.default)

    def _is_possible(self, raw: str) -> bool:
        match self.kind:
            case "one of" | "several":
                return raw in map(str, self.options)
            case "switch":
                return raw.lower() in ON_OFF
            case "number":
                return _is_between(raw, *(self.bounds or (0, 0)))
            case "spelt":
                return self._is_spelt(raw)
            case _:
                return True

    def _is_spelt(self, raw: str) -> bool:
        try:
            self.unspell(raw)
        except ValueError:
            return False
        return True


def control(
    name: str,
    kind: Kind,
    *,
    label: str | None = None,
    options: Sequence[Any] | None = None,
    default: Any = COMPUTED,
    largest: int | None = None,
    unchosen: str = "none",
) -> Control:
    """A control of this name: what its declaration says, and what only the view knows.

    The first option stands where neither names another. A control that means something else than the
    declaration needs a name of its own: two that shared one would take over each other's value from page to
    page.
    """
    one = declared(name)
    assert one is not None, f"{name} is missing among the parameters"
    assert one.kind == kind, f"{name} is declared as {one.kind}, not as {kind}: {one.meaning}"
    called = one.label if label is None else label
    assert one.is_called(called), f"{name} is declared as {one.label!r}, not as {called!r}: {one.meaning}"
    stops = tuple(one.options or ()) if options is None else tuple(options)
    assert one.allows(stops), f"{name} has other options than declared: {stops}"
    at_first = one.default if default is COMPUTED else default
    if kind == "one of":
        at_first = stops[0] if at_first is COMPUTED else at_first
        assert at_first in stops, f"{name} is {at_first} at first, which is none of {stops}"
    if kind == "several":
        at_first = []  # as its control has it
    return Control(name, kind, called, stops, at_first, _bounds(name, one.bounds, largest), unchosen)


def _bounds(
    name: str, declared_as: tuple[int, int | None] | None, largest: int | None
) -> tuple[int, int] | None:
    if declared_as is None:
        return None
    most = declared_as[1] if largest is None else largest
    assert most is not None, f"the largest {name} depends on the view, which has to say it"
    return declared_as[0], most


def in_link(value: object) -> list[str]:
    """A value, or each of several, as a link has it."""
    return [spelt(one) for one in value] if isinstance(value, list | tuple) else [spelt(value)]


def spelt(value: object) -> str:
    """One value as it stands in a link."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _is_between(raw: str, smallest: int, largest: int) -> bool:
    few_digits = raw.isascii() and raw.isdigit() and len(raw) <= len(str(largest))
    return few_digits and smallest <= int(raw) <= largest


def _in_short(stops: Sequence[Any]) -> str:
    """The stops in a row; of more than one reads, the first two and the last two."""
    if len(stops) <= MOST_STOPS:
        return ", ".join(map(str, stops))
    return f"{stops[0]}, {stops[1]}, …, {stops[-2]} or {stops[-1]}"
