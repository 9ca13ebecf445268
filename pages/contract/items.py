"""The items of a form as data: controls, buttons, links and small lines."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pages import Entry
from pages.contract.parameter import Kind, Parameter
from pages.contract.sheet import Changes, LinkValues

Width = int | Literal["stretch", "content"]

WIDGETS: Mapping[str, Kind] = {
    "choice": "one of",
    "menu": "one of",
    "slide": "one of",
    "pills": "several",
    "multiselect": "several",
    "switch": "switch",
    "number": "number",
    "word": "number",
    "word row": "number",
    "lines": "text",
    "entry": "text",
}
"""The controls, each with the kind of the parameters that it can show."""


@dataclass(frozen=True)
class Control:
    """A parameter that a view has asked for, with its value, and how its control is drawn.

    A change resets the parameters that it `clears`. A slider says something at both `ends`.
    """

    parameter: Parameter
    widget: str
    value: Any
    hide_label: bool = False
    width: Width | None = None
    help: str | None = None
    is_fixed: bool = False
    words: tuple[str, ...] = ()
    clears: tuple[str, ...] = ()
    placeholder: str = ""
    ends: tuple[str, str] | None = None


@dataclass(frozen=True)
class Button:
    """A button that changes the link by `changes`, or by a function of the link at the time of the click."""

    label: str
    changes: Changes | Callable[[LinkValues], Changes]
    icon: str | None = None
    is_off: bool = False
    help: str | None = None
    key: str | None = None
    tertiary: bool = False


@dataclass(frozen=True)
class ControlNote:
    """A small line among the controls."""

    markdown: str


@dataclass(frozen=True)
class InlineLabel:
    """Label beside the next control, whose own label is hidden."""

    markdown: str


@dataclass(frozen=True)
class StepButtons:
    """Buttons for back, next and play through the `n` values of the number `name`."""

    name: str
    n: int


@dataclass(frozen=True)
class Pick:
    """A menu that changes the link: `on_pick` turns an option into changes, and the menu is empty again.

    It serves readers who cannot click in the picture above it. `key` is unique on its page. Screen readers
    read the label; the `placeholder` stands in the menu.
    """

    key: str
    label: str
    placeholder: str
    options: tuple[str, ...]
    on_pick: Callable[[str, LinkValues], Changes]


@dataclass(frozen=True)
class LoadButton:
    """A button that loads the large model of this name, only for the visitor who presses it."""

    name: str


@dataclass(frozen=True)
class Hub:
    """A box that fetches a model from the hub, where the operator allows it."""


@dataclass(frozen=True)
class Action:
    """A button for an action that changes nothing in the link; `key` is unique on its page."""

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
    Control
    | Button
    | ControlNote
    | InlineLabel
    | StepButtons
    | LoadButton
    | Hub
    | Action
    | PageLink
    | Download
    | Pick
)
