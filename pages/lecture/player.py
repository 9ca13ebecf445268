"""Plays a lecture: the pages of its steps fill the window in turn, the next one made ready meanwhile.

The browser does it all, see player.js: the server shows each step as it does any link, and keeps nothing of
a lecture.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import streamlit as st

from pages import entry_at
from pages.contract.answers import parsed
from pages.contract.cover import COVER
from pages.home.pictures import address_of
from pages.lecture.deck import Deck, Step
from words import counted

HERE = Path(__file__)

SCRIPTS: Mapping[str, tuple[str, ...]] = {
    "player": ("over_page", "foot_line", "at_rest", "frames", "picture", "player"),
    "presenter": ("over_page", "clock", "told_of_room", "presenter"),
}
"""The scripts of each window, in the order of their use."""


def play(deck: Deck, name: str, step: int) -> None:
    """Play the deck of this name in the link from a step on, counted from 1, or show the presenter's window.

    A step that the deck has not is the last or the first one, and the player says so.
    """
    at = min(max(step, 1), len(deck.steps))
    if st.query_params.get("presenter") == "1":
        data = {"notes": [_for_presenter(one, st.context.theme.type or "light") for one in deck.steps]}
        _window("presenter", deck, name, at, data)
        return
    note = ""
    if st.query_params.get("step", str(step)) != str(at):
        note = f"This lecture has {counted(len(deck.steps), 'step')}. Showing step {at}."
    _window("player", deck, name, at, {"steps": [_for_hall(one) for one in deck.steps], "note": note})


def played(step: Step) -> str:
    """The link that shows a step: its own, in lecture mode, and covered where the step is.

    It leads to a page of this app, whatever the deck says.
    """
    address, parameters = parsed(step.link)
    asked = {**parameters, "lecture": ["1"], **({COVER: ["1"]} if step.covered else {})}
    return f"/{quote(address)}?{urlencode(asked, doseq=True)}"


def picture_of(link: str, theme: str) -> str:
    """The address of the small picture of a link's view, as the home has it; empty where there is none."""
    address, parameters = parsed(link)
    entry = entry_at(address)
    if entry is None:
        return ""
    views = import_module(f"pages.{entry.folder}").PAGE.views
    return address_of(entry.folder, parameters.get("view", [next(iter(views))])[0], theme)


def _for_hall(step: Step) -> dict[str, Any]:
    """What the window of the hall has to know of a step; the notes are not for it."""
    return {"link": played(step), "title": step.title, "question": step.question, "covered": step.covered}


def _for_presenter(step: Step, theme: str) -> dict[str, Any]:
    return {
        "title": step.title,
        "notes": step.notes,
        "question": step.question,
        "covered": step.covered,
        "picture": picture_of(step.link, theme),
    }


def _window(kind: str, deck: Deck, name: str, at: int, data: Mapping[str, Any]) -> None:
    # It lies over the whole page, outside of the component: so does its style sheet.
    css = HERE.with_name(f"{kind}.css").read_text("utf-8")
    said = {"name": name, "title": deck.title, "at": at, "css": css, **data}
    _component(kind)(key=f"lecture_{kind}", data=said, height=0)


@cache
def _component(kind: str) -> Any:
    """The component of one of the two windows."""
    js = "\n".join(HERE.with_name(f"{script}.js").read_text("utf-8") for script in SCRIPTS[kind])
    return st.components.v2.component(f"lecture_{kind}", js=js)
