"""The items of a form as data: controls, buttons, links and small lines."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pages import Entry
from pages.contract.control import Control
from pages.contract.sheet import Changes, Link

Widget = Literal[
    "choice",
    "menu",
    "slide",
    "pills",
    "multiselect",
    "switch",
    "number",
    "word",
    "word row",
    "lines",
    "entry",
]
Width = int | Literal["stretch", "content"]


@dataclass(frozen=True)
class Asked:
    """A control, and how it is drawn.

    What it `clears` is brought back to its default when it changes.
    """

    control: Control
    widget: Widget
    value: Any
    hide_label: bool = False
    width: Width | None = None
    help: str | None = None
    is_fixed: bool = False
    words: tuple[str, ...] = ()
    clears: tuple[str, ...] = ()
    placeholder: str = ""


@dataclass(frozen=True)
class Button:
    """A button that changes the link: by `changes`, or by what these make of the link as it is then."""

    label: str
    changes: Changes | Callable[[Link], Changes]
    icon: str | None = None
    is_off: bool = False
    help: str | None = None
    key: str | None = None
    tertiary: bool = False


@dataclass(frozen=True)
class Caption:
    """A small line among the controls."""

    markdown: str


@dataclass(frozen=True)
class Name:
    """What the control after it is called, beside it; its own label is hidden then."""

    markdown: str


@dataclass(frozen=True)
class Slider:
    """A slider with what it says at both ends."""

    asked: Asked
    before: str
    after: str


@dataclass(frozen=True)
class Walk:
    """Buttons for back, next and play through the `n` values of the number `name`."""

    name: str
    n: int


@dataclass(frozen=True)
class Pick:
    """A menu whose options do something: `on_pick` is what one changes; it is empty again afterwards.

    For who does not click what stands above it. `key` is unique on its page; the label is read to who does
    not see the page, the `placeholder` stands in the menu.
    """

    key: str
    label: str
    placeholder: str
    options: tuple[str, ...]
    on_pick: Callable[[str, Link], Changes]


@dataclass(frozen=True)
class LoadButton:
    """A button that loads a large model, of this name, only for who asks."""

    name: str


@dataclass(frozen=True)
class Hub:
    """A box that fetches a model from the hub, where the operator allows it."""


@dataclass(frozen=True)
class Action:
    """A button that does something of which the link knows nothing; `key` is unique on its page."""

    label: str
    act: Callable[[], None]
    key: str
    icon: str | None = None
    is_off: bool = False
    is_primary: bool = False
    help: str | None = None


@dataclass(frozen=True)
class PageLink:
    """A link to another page of the app, with parameters."""

    label: str
    entry: Entry
    parameters: Mapping[str, str]
    icon: str | None = None


@dataclass(frozen=True)
class Download:
    """A button that makes a file, when it is pressed, and gives it to the browser under a name."""

    label: str
    contents: Callable[[], bytes]
    file_name: str
    help: str | None = None


Item = (
    Asked | Button | Caption | Name | Walk | LoadButton | Hub | Slider | Action | PageLink | Download | Pick
)
