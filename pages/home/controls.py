"""Labels and options of all controls that each view can have, as the search among the views needs them.

`python -m pages.home.controls` writes them all, `python -m pages.home.controls heads` only those of a page.
"""

import json
import re
import sys
from collections.abc import Collection, Iterator

from core.sources import UnavailableError
from pages import HOME
from pages.contract.ask import SIDEBAR, VIEWS, Ask
from pages.contract.common_controls import scene_of
from pages.contract.items import Control
from pages.contract.link_parameters import LinkParameters
from pages.contract.parameter import in_link
from pages.contract.parameters import declared
from pages.contract.view import Live, Page, every_view, page_of
from pages.home.search import FILE

MOST_OPTIONS = 8
"""Greatest number of options of a control that are all tried, to find the controls that then appear."""

OF_THE_SENTENCE = ("instead", "cut", "silenced")
"""Parameters whose options are words or heads."""


def found_controls(folders: Collection[str] = ()) -> dict[str, list[str]]:
    """Return the texts of all controls of each view; of views in other `folders` those that FILE has."""
    former = json.loads(FILE.read_text("utf-8")) if folders else {}
    return {
        f"{entry.folder}/{name}": (
            former[f"{entry.folder}/{name}"]
            if folders and entry.folder not in folders
            else sorted(set(_asked(page_of(entry), name)))
        )
        for entry, name in every_view()
        if entry != HOME
    }


def _asked(page: Page, name: str) -> Iterator[str]:
    """Yield the texts of a view's controls, with each of their options chosen once."""
    first = _ask(page, {"view": name})
    for one in first:
        yield from said(one)
        asked = one.parameter
        if asked.kind == "one of" and asked.name != "view" and len(asked.options) <= MOST_OPTIONS:
            for option in asked.options:
                if option not in ("real", one.value):
                    for other in _ask(page, {"view": name, asked.name: option}):
                        yield from said(other)


def said(asked: Control) -> Iterator[str]:
    """Yield the label of a control, and its options if they are words."""
    one = asked.parameter
    declaration = declared(one.name)
    if one.name == "view" or declaration is None:
        return
    yield re.sub(r"\(of \{\}\)|[{}]", "", declaration.label).strip()
    if one.kind in ("one of", "several") and one.name not in OF_THE_SENTENCE:
        yield from (str(option) for option in one.options if re.search("[A-Za-z]{2}", str(option)))


def _ask(page: Page, chosen: dict[str, object]) -> list[Control]:
    """Return the controls of a view for a link, without the sidebar's; none if its model is missing."""
    ask = Ask(LinkParameters({name: in_link(value) for name, value in chosen.items()}))
    try:
        view, scene = scene_of(ask, page)
        sheet = view.sheet(ask, scene)
        if isinstance(sheet, Live):
            sheet.sheet(ask, None)
    except UnavailableError:
        return []
    return controls_on_sheet(ask)


def controls_on_sheet(ask: Ask) -> list[Control]:
    """Return the controls that a view has asked for, without those of the sidebar."""
    return ask.asked(spot for spot in ask.items if spot not in (SIDEBAR, VIEWS))


if __name__ == "__main__":
    FILE.write_text(json.dumps(found_controls(sys.argv[1:]), ensure_ascii=False, indent=1) + "\n", "utf-8")
