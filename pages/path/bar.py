"""The path on a page in HTML: the stop above the view; below it the views, the map and the way on."""

import re
from html import escape

from pages.browser.scripts import NOTES_AS_PDF, notes_address
from pages.path.map import Chip, rows
from pages.path.stops import STOPS, StopView, path_at, path_to

WHOLE = "A translator:"
"""The model of the map: a decoder alone has no cross-attention, and an encoder alone may have an output."""


def above(number: int, view: StopView) -> str:
    """Return the bar above a view of a stop: the stop, its goal, the text of the view, and links."""
    stop = STOPS[number - 1]
    # `*word*` is emphasis in the text of a view.
    emphasised = re.sub(r"\*([^*]+)\*", r"<em>\1</em>", escape(view.shown_text))
    says = f'<p class="says">{emphasised}</p>' if emphasised else ""
    goal = f"<span>You will be able to {escape(stop.goal)}.</span>"
    title = f"<strong>Stop {number} of {len(STOPS)} · {escape(stop.title)}</strong>"
    return f'<nav class="path" aria-label="Path">{_ways(number)}<p>{title} {goal}</p>{says}</nav>'


def detour(number: int, view: StopView, path: str) -> str:
    """Return the bar of a page that is not one of the views of a stop: the way back to a view, at a path."""
    back = f'<a class="back" href="{escape(path)}">← Back to stop {number}: {escape(view.named.label)}</a>'
    where = f"<span>Stop {number} of {len(STOPS)} · {escape(STOPS[number - 1].title)}</span>"
    return f'<nav class="path detour" aria-label="Path"><p>{back} {where}</p></nav>'


def below(number: int, view: StopView) -> str:
    """Return the bar below a view of a stop: the stop's views with this one marked, the map, and links."""
    about = 'class="path end" aria-label="Path, onwards"'
    link = f'<a download href="{escape(notes_address())}">{NOTES_AS_PDF}</a>'  # `saving/files.js` fetches it
    notes = f"<div>{link}: a page of each stop, to print</div>" if number == len(STOPS) else ""
    return f"<nav {about}>{_views(number, view)}{_map(number)}{notes}{_ways(number, view)}</nav>"


def as_it_opens(number: int, view: StopView) -> str:
    """Return a line above the questions of a view that has been changed: they are about how it opens."""
    link = _link(path_at(view.link, number), "as the stop opens it")
    says = f"The questions are about the view {link}."
    return f'<nav class="path" aria-label="Path, this view"><p>{says}</p></nav>'


def _views(number: int, view: StopView) -> str:
    views = STOPS[number - 1].views
    if len(views) == 1:
        return ""
    listed = (
        f'<strong aria-current="page">{escape(one.named.label)}</strong>'
        if one is view
        else _link(path_at(one.link, number), one.named.label)
        for one in views
    )
    return f'<div class="views">At this stop: {" · ".join(listed)}</div>'


def _ways(number: int, view: StopView | None = None) -> str:
    """Return the ways back and on: to the stops beside this one, or from a `view` to the views beside it."""
    views = STOPS[number - 1].views
    at = views.index(view) if view is not None else 0
    before = (path_to(number - 1), STOPS[number - 2].title) if number > 1 else None
    after = ("/exam", "Exam →")
    if number < len(STOPS):
        after = path_to(number + 1), f"{STOPS[number].title} →"
    if view is not None and at > 0:
        before = path_at(views[at - 1].link, number), views[at - 1].named.label
    if view is not None and at + 1 < len(views):
        after = path_at(views[at + 1].link, number), f"{views[at + 1].named.label} →"
    back = _link(before[0], f"← {before[1]}") if before else ""
    return f'<span class="ways">{back}{_link(*after, kind="next")}</span>'


def _link(path: str, text: str, *, kind: str = "", about: str = "") -> str:
    attributes = {"href": path, "class": kind, "title": about}
    spelt = " ".join(f'{name}="{escape(value)}"' for name, value in attributes.items() if value)
    return f"<a {spelt}>{escape(text)}</a>"


def _map(number: int) -> str:
    listed = "".join(
        f"<li><em>{escape(name)}</em><ol>{''.join(_part(chip, number) for chip in chips)}</ol></li>"
        for name, chips in rows().items()
    )
    return f'<ul class="map" aria-label="Map of the model"><li><em>{WHOLE}</em></li>{listed}</ul>'


def _part(chip: Chip, number: int) -> str:
    lit = ' class="lit"' if chip.is_lit(number) else ""
    if chip.leads_to is None:
        return f"<li{lit}>{escape(chip.title)}</li>"
    about = f"Stop {chip.leads_to}: {STOPS[chip.leads_to - 1].title}"
    return f"<li{lit}>{_link(path_to(chip.leads_to), chip.title, about=about)}</li>"
