"""Links that leave the views of a stop: the other page stays at the stop and shows the way back."""

from collections.abc import Mapping
from html import escape
from typing import NamedTuple
from urllib.parse import urlencode

from pages.path.stops import STOPS, StopView, path_at


class DetourOrigin(NamedTuple):
    """A view of a stop that a reader has left for another page, with its link at that time."""

    stop: int
    view: StopView
    path: str


def left_at(stop: int, view: StopView, link: Mapping[str, list[str]]) -> DetourOrigin:
    """Return the left view of a stop with all choices on it."""
    return DetourOrigin(stop, view, f"/{view.link.address}?{urlencode(link, doseq=True)}")


def above(number: int, left: DetourOrigin | None = None) -> str:
    """Return the bar of a page that is not one of the views of a stop: the way back to the stop.

    It leads to the view that was `left`, in its last state, or to the first view of the stop.
    """
    stop = STOPS[number - 1]
    if left is None or left.stop != number:
        first = stop.views[0]
        left = DetourOrigin(number, first, path_at(first.link, number))
    label = f"← Back to stop {number}: {left.view.named.label}"
    back = f'<a class="back" href="{escape(left.path)}">{escape(label)}</a>'
    where = f"<span>Stop {number} of {len(STOPS)} · {escape(stop.title)}</span>"
    return f'<nav class="path detour" aria-label="Path"><p>{back} {where}</p></nav>'
