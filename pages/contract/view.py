"""A page: a question, and views that answer it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal

from pages import ENTRIES, Entry
from pages.contract.ask import Ask
from pages.contract.examples import EXAMPLES
from pages.contract.scene import Scene
from pages.contract.sheet import Sheet
from pages.contract.switches import Architecture, SwitchOptions, architecture

About = Literal["model", "layer", "head"]
"""Subject of a view: a whole model, or the layer or head chosen in its menus."""


@dataclass(frozen=True)
class Live:
    """A sheet of a running process, which is drawn again every moment.

    `look` returns its present state, and `is_active` whether it runs. `sheet` draws a state, with controls.
    From a link alone nothing runs, and `sheet` gets None. `moment` says when the state was drawn.
    """

    look: Callable[[], Any]
    is_active: Callable[[], bool]
    sheet: Callable[[Ask, Any], Sheet]
    moment: Callable[[Any], str]


@dataclass(frozen=True, kw_only=True)
class View(SwitchOptions):
    """A view of a page: a function from its controls and a scene to a sheet.

    `sheet` is that function. It needs no page, and raises UnavailableError if the model is not there.
    `question` takes the place of the page's. A view that `asks` has questions to answer before it is shown.
    `sentence` stands in the box at first, with `examples` one click away, and `other` in a second box; a view
    without a sentence reads none.
    """

    sheet: Callable[[Ask, Scene], Sheet | Live]
    question: str = ""
    asks: bool = True
    sentence: str = ""
    other: str = ""
    examples: tuple[str, ...] = EXAMPLES
    about: About = "model"


def view(**facts: Any) -> Callable[[Callable[[Ask, Scene], Sheet | Live]], View]:
    """Return a decorator that makes a `View` of a function, with these facts about it."""
    return lambda sheet: View(sheet=sheet, **facts)


@dataclass(frozen=True, kw_only=True)
class Page:
    """A question and its views by name, in the order of their row; `choose` asks for the model."""

    question: str
    views: Mapping[str, View]
    choose: Callable[[Ask, View], Architecture] = architecture


def page_of(entry: Entry) -> Page:
    """Return the page of an entry, whose folder is imported only then."""
    page = import_module(f"pages.{entry.folder}").PAGE
    assert isinstance(page, Page), "every page has a PAGE"
    return page


def every_view() -> Iterator[tuple[Entry, str]]:
    """Yield each view of each page by its name, in the order of the navigation."""
    return ((entry, name) for entry in ENTRIES for name in page_of(entry).views)
