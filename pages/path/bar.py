"""The path on a page: the stop with its goal above the view, and below it what was seen and the way on.

Lists of links in HTML whose characters all stand for themselves; frame.css says how they look.
"""

from html import escape

from pages.path.map import Chip, rows
from pages.path.stops import STOPS, path_at, path_to


def above(number: int) -> str:
    """The stop, what one will be able to do after it, and the ways on and back."""
    stop = STOPS[number - 1]
    goal = f"<span>You will be able to {escape(stop.goal)}.</span>"
    title = f"<strong>Stop {number} of {len(STOPS)} · {escape(stop.title)}</strong>"
    return f'<nav class="path" aria-label="Path">{_ways(number)}<p>{title} {goal}</p></nav>'


def below(number: int, *, address: str, view: str, covered_by: str = "") -> str:
    """What its views show, the views with the one shown marked, the map, and the ways on and back.

    What they show is not told while the view asks first: the cover `covered_by` takes it away too.
    """
    stop = STOPS[number - 1]
    seen = f"<p><strong>In short.</strong> {escape(stop.seen)}</p>"
    about = f'class="path end" aria-label="Path, onwards" data-stop="{number}"'
    cover = f' data-cover="{escape(covered_by)}"' if covered_by else ""
    return f"<nav {about}{cover}>{seen}{_views(number, address, view)}{_map(number)}{_ways(number)}</nav>"


def _views(number: int, address: str, view: str) -> str:
    """The views of a stop, if it has several."""
    views = STOPS[number - 1].views
    if len(views) == 1:
        return ""
    listed = (
        f'<strong aria-current="page">{escape(one.label)}</strong>'
        if (one.address, one.parameters.get("view", view)) == (address, view)
        else _link(path_at(one, number), one.label)
        for one in views
    )
    return f'<div class="views">At this stop: {" · ".join(listed)}</div>'


def _ways(number: int) -> str:
    """The stop before and the one after, or the home where there is none."""
    before = _link(path_to(number - 1), f"← {STOPS[number - 2].title}") if number > 1 else ""
    after = (path_to(number + 1), f"{STOPS[number].title} →") if number < len(STOPS) else ("/", "All stops")
    return f'<span class="ways">{before}{_link(*after, kind="next")}</span>'


def _link(path: str, text: str, *, kind: str = "", about: str = "") -> str:
    attributes = {"href": path, "class": kind, "title": about}
    spelt = " ".join(f'{name}="{escape(value)}"' for name, value in attributes.items() if value)
    return f"<a {spelt}>{escape(text)}</a>"


def _map(number: int) -> str:
    listed = "".join(
        f"<li><em>{escape(name)}</em><ol>{''.join(_part(chip, number) for chip in chips)}</ol></li>"
        for name, chips in rows().items()
    )
    return f'<ul class="map" aria-label="Map of the model">{listed}</ul>'


def _part(chip: Chip, number: int) -> str:
    lit = ' class="lit"' if chip.is_lit(number) else ""
    if chip.leads_to is None:
        return f"<li{lit}>{escape(chip.title)}</li>"
    about = f"Stop {chip.leads_to}: {STOPS[chip.leads_to - 1].title}"
    return f"<li{lit}>{_link(path_to(chip.leads_to), chip.title, about=about)}</li>"
