"""A parameter of the link: its meaning, its possible values, and their spelling."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, Self

Kind = Literal["one of", "several", "switch", "number", "text", "spelt"]


COMPUTED = object()
"""Marker of a default that depends on the page."""

MOST_OPTIONS = 16
"""Greatest number of options that a refusal lists in full; of more it lists a few."""

FLAGS = {"1": True, "true": True, "0": False, "false": False}
"""Spellings of a flag in a link, with their meanings."""


@dataclass(frozen=True)
class Parameter:
    """A name in the link and its one meaning on every page that has it.

    `label` and `also` are the labels its control may have; {} stands for text that a page fills in. `options`
    lists all values; with `others`, only those of the trained models, and real models may have more. It is
    empty if the values depend on the page. The `largest` number is None if it depends on the page. `default`
    is the first option unless another is given. A `selection` marks something to look at, such as a word;
    Escape clears it. `unchosen` is shown while there is no value. A number that `clamps` is lowered to the
    largest possible one if the limit falls below it. `parse` parses a spelling that only the view
    understands, and raises ValueError with the reason if it cannot.

    `caption` states the value, which replaces {}, in the caption of a figure. Without a `caption`, without a
    value, or with the value `unsaid`, the caption leaves it out. A switch is stated if it is not at its
    default. A parameter that `names_model` chooses the model of the pictures, which their captions describe.
    """

    kind: Kind
    name: str
    label: str = ""
    meaning: str = ""
    options: Sequence[Any] = ()
    default: Any = COMPUTED
    also: tuple[str, ...] = ()
    others: bool = False
    smallest: int = 0
    largest: int | None = None
    selection: bool = False
    unchosen: str = "none"
    clamps: bool = False
    parse: Callable[[str], Any] = str
    caption: str = ""
    unsaid: Any = None
    names_model: bool = False

    def __post_init__(self) -> None:
        """Take the first option if no default is given, and no option of several."""
        object.__setattr__(self, "options", tuple(self.options))
        if self.kind == "several":
            object.__setattr__(self, "default", [])  # a list, as its control has it
        if self.kind == "one of" and self.options and self.default is COMPUTED:
            object.__setattr__(self, "default", self.options[0])

    def in_view(self, **given: Any) -> Self:
        """Return the parameter with the fields that are `given` in place of the declared ones.

        A control with another meaning needs another name: two controls that share a name would take over each
        other's value from page to page.
        """
        one = replace(self, **given)
        known = (self.label, *self.also)
        assert any(_fits(one.label, label) for label in known), (
            f"{self.name} is declared as {self.label!r}, not as {one.label!r}: {self.meaning}"
        )
        assert self.others or not self.options or set(one.options) <= set(self.options), (
            f"{self.name} has other options than declared: {one.options}"
        )
        assert self.kind != "one of" or one.default in one.options, (
            f"{self.name} is {one.default} at first, which is none of {one.options}"
        )
        assert self.kind != "number" or one.bounds
        return one

    @property
    def bounds(self) -> tuple[int, int]:
        """Return the smallest and the largest number."""
        assert self.largest is not None, f"the largest {self.name} depends on the view, which has to say it"
        return self.smallest, self.largest

    def read(self, spelling: Sequence[str]) -> Any:
        """Return the value that a link means. Raises ValueError with the reason if it can mean none."""
        if self.kind == "several":
            return [self._read_one(one) for one in spelling]
        if len(spelling) > 1:
            raise ValueError(
                "it can have only one value" if self.kind in ("text", "spelt") else self._possible
            )
        return self._read_one(spelling[0])

    def nearest(self, spelling: Sequence[str]) -> Any:
        """Return the value shown here for a choice made elsewhere that is impossible on this page."""
        if self.kind == "several":
            return [one for one in spelling if one in self.options]
        if self.clamps and _is_between(spelling[0], 1, 10**9):
            return self.largest
        return self.default

    @property
    def at_first(self) -> str:
        """Return the default as a note names it."""
        if self.kind in ("several", "spelt") or self.default is None:
            return self.unchosen
        return spell(self.default)

    def _read_one(self, raw: str) -> Any:
        match self.kind:
            case "text":
                return raw
            case "spelt":
                return self.parse(raw)
            case "number" if _is_between(raw, *self.bounds):
                return int(raw)
            case "switch" if raw.lower() in ("true", "false"):
                return raw.lower() == "true"
        for option in self.options:
            if str(option) == raw:
                return option
        raise ValueError(self._possible)

    @property
    def _possible(self) -> str:
        if self.kind == "number":
            return f"here it can be {self.smallest} to {self.largest}"
        if self.kind == "switch":
            return "here it can be true or false"
        some = self.options
        if len(some) > MOST_OPTIONS:
            return f"here it can be {some[0]}, {some[1]}, …, {some[-2]} or {some[-1]}"
        return f"here it can be {', '.join(map(str, some))}"


def read_flag(text: str) -> bool:
    """Return the value of a flag such as the cover. Raises ValueError for any other spelling."""
    if text.lower() not in FLAGS:
        raise ValueError("it can be 1 or absent")
    return FLAGS[text.lower()]


def read_panel(spelling: str) -> int:
    """Return the number of a picture. Raises ValueError if it is none."""
    if len(spelling) != 1 or not spelling.isascii() or not spelling.isdigit():
        raise ValueError("it can be 0 to 9")
    return int(spelling)


one_of = partial(Parameter, "one of")
several = partial(Parameter, "several")
switch = partial(Parameter, "switch", options=(True, False), default=False)
number = partial(Parameter, "number")
word = partial(Parameter, "number", smallest=1, default=None, selection=True)
text = partial(Parameter, "text")
spelt = partial(Parameter, "spelt", default="")
flag = partial(Parameter, "spelt", default=False, parse=read_flag)
"""Declarations by their kind. A word is chosen by its position, counted from 1; none is chosen at first."""


def spell(value: object) -> str:
    """Return one value as it stands in a link."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def in_link(value: object) -> list[str]:
    """Return a value, or each of several, as a link has it."""
    return [spell(one) for one in value] if isinstance(value, list | tuple) else [spell(value)]


def _fits(label: str, known: str) -> bool:
    return re.fullmatch(re.escape(known).replace(r"\{\}", ".+"), label) is not None


def _is_between(raw: str, smallest: int, largest: int) -> bool:
    few_digits = raw.isascii() and raw.isdigit() and len(raw) <= len(str(largest))
    return few_digits and smallest <= int(raw) <= largest
