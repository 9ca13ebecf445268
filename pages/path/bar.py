"""The path on a page: the stop with its goal above the view, and below it what was seen and the way on.

Lists of links in HTML whose characters all stand for themselves; frame.css says how they look.
"""

from html import escape

from pages.path.map import Chip, rows
from pages.path.stops import STOP, STOPS, path_to


def above(number: int) -> str:
    """The stop, what one will be able to do after it, and the ways on and back."""
    stop = STOPS[number - 1]
    goal = f"<span>You will be able to {escape(stop.goal)}.</span>"
    title = f"<strong>Stop {number} of {len(STOPS)} · {escape(stop.title)}</strong>"
    return f'<nav class="path" aria-label="Path">{_ways(number)}<p>{title} {goal}</p></nav>'


def below(number: int) -> str:
    """What was seen at the stop, where else it is shown, the map, and the ways on and back."""
    stop = STOPS[number - 1]
    more = " · ".join(_link(_on_the_path(one.path, number), one.label) for one in stop.more)
    also = f" Also here: {more}." if more else ""
    seen = f"<p><strong>What you have seen.</strong> {escape(stop.seen)}{also}</p>"
    about = f'class="path end" aria-label="Path, onwards" data-stop="{number}"'
    return f"<nav {about}>{seen}{_map(number)}{_ways(number)}</nav>"


def _on_the_path(path: str, number: int) -> str:
    return f"{path}{'&' if '?' in path else '?'}{STOP}={number}&predict=true"


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
