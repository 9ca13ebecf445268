"""What a declaration of a parameter says: what it means, what it can be, and what it is where nobody says."""

import re
from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal

Kind = Literal["one of", "several", "switch", "number", "text", "spelt"]
"""What a parameter can be: one or several of some options, on or off, a whole number, what somebody typed, or
something that its page spells in signs of its own."""


class Computed(Enum):
    """Says of a default that it depends on the page."""

    COMPUTED = "computed"


COMPUTED = Computed.COMPUTED
POSITION = ", position"
"""How the label of a number ends that is the position of a word."""


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """A name in the link and the one thing that it means, on every page that has it.

    `label` is what its control is called, or `also`, where {} stands for what the page fills in. `options`
    are all there are, or those of the trained models where `others` are possible, and None where they depend
    on the page. `bounds` are the smallest and the largest number, which is None where it depends on the page.
    A `selection` is what has been picked out to be looked at, such as a word: Escape takes it back.

    `caption` is how the caption of a figure says the value, which stands for {}; without it the value is not
    said there, nor while it is `unsaid` or there is none. A switch is said if it is not at its default. One
    that `names_model` chooses the model of the pictures, which their captions describe.
    """

    name: str
    meaning: str
    kind: Kind
    label: str = ""
    also: tuple[str, ...] = ()
    options: tuple[Any, ...] | None = None
    others: bool = False
    bounds: tuple[int, int | None] | None = None
    default: Any = COMPUTED
    selection: bool = False
    caption: str = ""
    unsaid: Any = None
    names_model: bool = False

    def is_called(self, label: str) -> bool:
        """Whether a control of this label can be one of this parameter."""
        return any(
            re.fullmatch(re.escape(known).replace(r"\{\}", ".+"), label.removesuffix(POSITION))
            for known in (self.label, *self.also)
        )

    def allows(self, options: tuple[Any, ...]) -> bool:
        """Whether these are options of this parameter."""
        return self.options is None or self.others or set(options) <= set(self.options)


def one_of(
    name: str,
    label: str,
    meaning: str,
    options: tuple[Any, ...] | None = None,
    default: Any = COMPUTED,
    **more: Any,
) -> Parameter:
    """One of some options; the first one, unless another is the `default`."""
    first = options[0] if options and default is COMPUTED else default
    return Parameter(
        name=name, label=label, meaning=meaning, kind="one of", options=options, default=first, **more
    )


def several(name: str, label: str, meaning: str, **more: Any) -> Parameter:
    """Any number of options that depend on the page, none at first."""
    return Parameter(name=name, label=label, meaning=meaning, kind="several", default=(), **more)


def switch(name: str, label: str, meaning: str, default: bool = False, **more: Any) -> Parameter:
    """On or off."""
    return Parameter(name=name, label=label, meaning=meaning, kind="switch", default=default, **more)


def number(
    name: str, label: str, meaning: str, bounds: tuple[int, int | None], default: Any = COMPUTED, **more: Any
) -> Parameter:
    """A whole number."""
    return Parameter(
        name=name, label=label, meaning=meaning, kind="number", bounds=bounds, default=default, **more
    )


def word(name: str, label: str, meaning: str, **more: Any) -> Parameter:
    """The position of a word, counted from 1; none is chosen at first."""
    return number(name, label, meaning, (1, None), None, **more)


def text(name: str, label: str, meaning: str, default: Any = COMPUTED, **more: Any) -> Parameter:
    """What somebody typed."""
    return Parameter(name=name, label=label, meaning=meaning, kind="text", default=default, **more)


def spelt(name: str, meaning: str) -> Parameter:
    """What its page spells itself, without a control; nothing at first."""
    return Parameter(name=name, meaning=meaning, kind="spelt", default="")
