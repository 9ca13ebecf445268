"""The stops of the path: the views of each, the reader's goal, and lines to remember."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.pretrained.fetched import FETCH_COMMAND
from core.sources.pretrained import USUAL, is_there, title_of
from pages.contract.parameter import in_link
from pages.contract.question import as_data
from pages.contract.sheet import LinkValues
from pages.contract.static_questions import PATH_QUESTIONS
from pages.contract.unused_parameters import OF_ANY_PAGE
from pages.data.entries import read_entries
from pages.data.links import Link

STOP = "stop"

NOTES = "notes"
"""Key of the picture by which an export asks for the notes of the path; its link is the home's."""

FETCH = (
    f"This stop is about {title_of(USUAL)}, a real model that is not on this machine yet: "
    f"`{FETCH_COMMAND}` fetches it. Until then a small model of this app is shown."
)


@dataclass(frozen=True, kw_only=True)
class StopView:
    """A view of a stop: its link, and what it `says` about the words that its picture uses.

    It `asks` these questions of path_questions.toml, and shows the controls of these `switches` first. While
    the usual real model is not there, it shows `instead`, a link to the same view with a small model.
    """

    link: Link
    says: str = ""
    asks: tuple[str, ...] = ()
    switches: tuple[str, ...] = ()
    instead: Link | None = None

    @property
    def named(self) -> Link:
        """Return the link, named like its tab; the only view of a page has the title of the page."""
        return self.link._replace(label=self.link.view or self.link.entry.title)

    @property
    def lacks_model(self) -> bool:
        """Return whether the view is about a real model that is not there."""
        return self.instead is not None and not is_there(USUAL)

    @property
    def to_small_model(self) -> Mapping[str, str | int | None]:
        """Return the changes of the link that show a small model in place of a real one."""
        small = self.instead.parameters if self.instead is not None else {}
        return {**dict.fromkeys(self.link.parameters), **small}

    def is_changed(self, link: LinkValues) -> bool:
        """Return whether a link to the view differs from its opening link."""
        opened = {name: in_link(value) for name, value in self.link.parameters.items()}
        beside = OF_ANY_PAGE | {"view"}
        return any(
            list(link.get(name, [])) != opened.get(name, [])
            for name in (link.keys() | opened.keys()) - beside
        )

    @property
    def shown_text(self) -> str:
        """Return the view's text about its words, or how to fetch the missing model."""
        return FETCH if self.lacks_model else self.says

    @property
    def asked(self) -> tuple[str, ...]:
        """Return the questions about the view; none about a missing model."""
        return () if self.lacks_model else self.asks


@dataclass(frozen=True, kw_only=True)
class Stop:
    """A stop: `goal` completes "you will be able to", and `remember` has the lines to take along.

    The first of its views opens it. At its end it asks a question about an `earlier` stop. On the map of the
    model it lights the parts `lit`, of one `row` or of all, and the parts `met` lead to it.

    On paper it shows its `formula`, in LaTeX, and one picture: the one with the key `picture`, by default the
    first, of the view `pictured`, by default the first.
    """

    title: str
    goal: str
    remember: tuple[str, ...]
    lit: tuple[str, ...]
    views: tuple[StopView, ...]
    earlier: str = ""
    met: tuple[str, ...] = ()
    row: str = ""
    formula: str = ""
    pictured: Link | None = None
    picture: str = ""

    @property
    def on_paper(self) -> Link:
        """Return the view whose picture stands in the notes."""
        return self.pictured or self.views[0].link


STOPS = tuple(read_entries(Stop, "stops.toml").values())


def path_to(number: int) -> str:
    """Return the link to a stop."""
    return path_at(STOPS[number - 1].views[0].link, number)


def path_at(view: Link, number: int) -> str:
    """Return the link to a view that stays at a stop."""
    return Link("", view.address, {**view.parameters, STOP: number}).path


def view_of_stop(number: int, address: str, view: str) -> StopView | None:
    """Return the view of a stop that a page shows; None if the page is not one of its views."""
    for one in STOPS[number - 1].views:
        if (one.link.address, one.link.parameters.get("view", view)) == (address, view):
            return one
    return None


def read_stop(spelling: str) -> int:
    """Return the stop that a link names. Raises ValueError if there is none."""
    if spelling not in map(str, range(1, len(STOPS) + 1)):
        raise ValueError(f"it can be 1 to {len(STOPS)}")
    return int(spelling)


def read_stops(spelling: str) -> tuple[int, ...]:
    """Return the stops that a link names with dots between them, as 1.2.5. Raises ValueError for others."""
    return tuple(sorted({read_stop(one) for one in spelling.split(".")})) if spelling else ()


def questions_of(number: int, view: StopView) -> Sequence[Mapping[str, Any]]:
    """Return the questions of a view of a stop; the last view has the question about an earlier stop too."""
    stop = STOPS[number - 1]
    earlier = (stop.earlier,) if stop.earlier and view is stop.views[-1] else ()
    return [
        *(_asked(name, number, is_earlier=False) for name in view.asked),
        *(_asked(name, number, is_earlier=True) for name in earlier),
    ]


def stop_of(number: int, view: StopView) -> Mapping[str, Any]:
    """Return the data of a stop that the browser needs on one of its views.

    Its `boxes` are the names of all views that ask, and `box` is the name of this one. The last view has the
    lines to `remember`.
    """
    stop = STOPS[number - 1]
    boxes = [box_of(number, one) for one in stop.views if questions_of(number, one)]
    remember = list(stop.remember) if view is stop.views[-1] else []
    return {"number": number, "box": box_of(number, view), "boxes": boxes, "remember": remember}


def box_of(number: int, view: StopView) -> str:
    """Return the name under which a browser keeps the answers to the questions of a view."""
    name = f"stop {number} {view.link.address} {view.named.label}"
    return re.sub(r"\W+", "_", name.lower())


def _asked(name: str, number: int, *, is_earlier: bool) -> Mapping[str, Any]:
    one = PATH_QUESTIONS[name]
    see = path_at(one.see, number) if one.see else ""
    return {**as_data(one.asked()), "see": see, "is_earlier": is_earlier}
