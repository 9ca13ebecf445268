"""What a page is: a question, and views that answer it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pages.contract.ask import Ask
from pages.contract.examples import EXAMPLES
from pages.contract.live import Live
from pages.contract.scene import Scene
from pages.contract.sheet import Sheet
from pages.contract.switches import Architecture, Switched, architecture

About = Literal["model", "layer", "head"]
"""What a view is about: a whole model, or the layer or head chosen in its menus."""


@dataclass(frozen=True, kw_only=True)
class View(Switched):
    """One answer to the question of its page: a function from what it may ask and a scene to a sheet.

    `sheet` is that function. It needs no page, and raises UnavailableError where there is no model.
    `question` is the view's own, in place of the page's; one that `asks` has questions to be answered before
    it is shown. `sentence` stands in the box at first, with `examples` one click away, and `other` in a
    second box: a view without does not read any.
    """

    sheet: Callable[[Ask, Scene], Sheet | Live]
    question: str = ""
    asks: bool = True
    sentence: str = ""
    other: str = ""
    examples: tuple[str, ...] = EXAMPLES
    about: About = "model"


def view(**facts: Any) -> Callable[[Callable[[Ask, Scene], Sheet | Live]], View]:
    """Make a `View` of the function below, with these facts about it."""
    return lambda sheet: View(sheet=sheet, **facts)


@dataclass(frozen=True, kw_only=True)
class Page:
    """A question and its views, by the names that their row and the link use; the first one opens the page.

    `choose` asks for the model where the page does it in its own way.
    """

    question: str
    views: Mapping[str, View]
    choose: Callable[[Ask, View], Architecture] = architecture
