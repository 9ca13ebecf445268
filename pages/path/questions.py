"""The questions of a view of the path, as the browser takes them."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pages.contract.question import as_data
from pages.contract.static_questions import PATH_QUESTIONS
from pages.path.stops import STOPS, StopView, path_at


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
