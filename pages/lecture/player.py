"""The player of a lecture: the pages of its steps fill the window in turn, and the next one loads ahead.

It runs in the browser, see player.js: the server shows each step like any link, and keeps nothing of a
lecture.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import streamlit as st

from pages import entry_at
from pages.browser.questions import room_script, room_style
from pages.browser.questions.room_questions import sealed
from pages.browser.scripts import PICTURES, SMALL_PICTURES
from pages.contract.link_parameters import parsed
from pages.contract.view import page_of
from pages.home.pictures import address_of
from pages.lecture.deck import Deck, deck_named
from pages.lecture.deck_file import DeckError
from pages.lecture.own_question import offered, own_question
from pages.lecture.slide import draw_slide
from pages.lecture.step import OWN_ADDRESS, LectureStep
from words import counted

HERE = Path(__file__)

SCRIPTS: Mapping[str, Sequence[str | Path]] = {
    "player": (
        *("over_page", "markdown", "headline", "foot_line"),
        *SMALL_PICTURES,
        *("frames", "overview", "typed_number", "picture", "room_in_hall", "player"),
    ),
    "presenter": ("over_page", "markdown", "clock", "told_of_room", PICTURES, "presenter"),
}
"""The scripts of each window, in the order of their use: names of files beside this one, or shared files."""


def show_linked_lecture() -> bool:
    """Return whether the link names a valid lecture, or a slide of one, which is then shown."""
    name = st.query_params.get("deck")
    if name is None:
        return False
    try:
        deck = deck_named(name)
    except DeckError:
        return False
    number = st.query_params.get("slide")
    if number is not None:
        slide = deck.steps[step_of(number, len(deck.steps)) - 1]
        if slide.kind:
            draw_slide(slide)
            return True
    play(deck, name, step_of(st.query_params.get("step", ""), len(deck.steps)))
    return True


def step_of(spelling: str, n: int) -> int:
    """Return the step of `n` that a link names, counted from 1: the nearest one, else the first."""
    asked = int(spelling) if spelling.isascii() and spelling.isdigit() and len(spelling) < 10 else 1
    return min(max(asked, 1), n)


def play(deck: Deck, name: str, step: int) -> None:
    """Play the deck of this name from a step on, counted from 1, or show the presenter's window."""
    at, theme = min(max(step, 1), len(deck.steps)), st.context.theme.type or "light"
    if st.query_params.get("presenter") == "1":
        data = {"notes": [_for_presenter(one, theme) for one in deck.steps]}
        _window("presenter", deck, name, at, data)
        return
    note = ""
    if st.query_params.get("step", str(step)) != str(at):
        note = f"This lecture has {counted(len(deck.steps), 'step')}. Showing step {at}."
    steps = _all_for_hall(deck, theme, name)
    _window("player", deck, name, at, {"steps": steps, "note": note, "roomCss": room_style()})


def played(step: LectureStep, name: str = "", number: int = 1) -> str:
    """Return the link that shows a step: its own, large, and covered if the step is.

    The headline of its view stands below the title of the step, or gives way to the step's sentence. The link
    leads to a page of this app, whatever the deck says. A slide is shown by this page: it is the step of this
    number in the lecture of the name.
    """
    parameters: Mapping[str, list[str]]
    address, parameters = parsed(step.link)
    if step.kind:
        address, parameters = OWN_ADDRESS, {"deck": [name], "slide": [str(number)]}
    is_titled = step.title or step.covered
    flags = {"large": True, "cover": step.covered, "titled": is_titled, "unsaid": step.sentence}
    asked = {**parameters, **{name: ["1"] for name, is_set in flags.items() if is_set}}
    return f"/{quote(address)}?{urlencode(asked, doseq=True)}"


def picture_of(link: str, theme: str) -> str:
    """Return the address of the small picture of a link's view on the home; empty if there is none."""
    address, parameters = parsed(link)
    entry = entry_at(address)
    if entry is None:
        return ""
    view = parameters.get("view", [next(iter(page_of(entry).views))])[0]
    return address_of(entry.folder, view, theme)


def _small_picture(step: LectureStep, theme: str) -> str:
    """Return the address of the picture of a step on the home; empty if the step shows something else."""
    _, parameters = parsed(step.link)
    return "" if step.kind or parameters.keys() - {"view"} else picture_of(step.link, theme)


def _right(step: LectureStep) -> str:
    """Return the right answer to the step's own question in words; empty if none is right."""
    return str((own_question(step) or {}).get("solution", ""))


def _all_for_hall(deck: Deck, theme: str, name: str) -> list[dict[str, Any]]:
    """Return each step's data for the window of the hall; `room` has its sealed question for phones."""
    own = [own_question(step) for step in deck.steps]
    seals = iter(sealed([question for question in own if question is not None]))
    return [
        {**_for_hall(step, theme, name, number), "room": [] if question is None else [next(seals)]}
        for number, (step, question) in enumerate(zip(deck.steps, own, strict=True), 1)
    ]


def _for_hall(step: LectureStep, theme: str, name: str, number: int) -> dict[str, Any]:
    """Return a step's data for the window of the hall, without its notes."""
    address, _ = parsed(step.link)
    entry = None if step.kind else entry_at(address)
    link = played(step, name, number)
    return {
        "link": link,
        "source": link if step.kind else step.link,
        "kind": step.kind,
        "first": "" if entry is None else next(iter(page_of(entry).views)),
        "title": step.title,
        "question": step.question,
        "covered": step.covered,
        "sentence": step.sentence,
        "options": offered(step),
        "right": _right(step),
        "picture": _small_picture(step, theme),
    }


def _for_presenter(step: LectureStep, theme: str) -> dict[str, Any]:
    return {
        "title": step.title,
        "notes": step.notes,
        "question": step.question,
        "covered": step.covered,
        "right": _right(step),
        "source": "" if step.kind else step.link,
        "picture": _small_picture(step, theme),
    }


def _window(kind: str, deck: Deck, name: str, at: int, data: Mapping[str, Any]) -> None:
    # It lies over the whole page, outside of the component, and so does its style sheet.
    css = HERE.with_name(f"{kind}.css").read_text("utf-8")
    said = {"name": name, "title": deck.title, "at": at, "css": css, **data}
    _component(kind)(key=f"lecture_{kind}", data=said, height=0)


@cache
def _component(kind: str) -> Any:
    """Return the component of one of the two windows."""
    paths = [one if isinstance(one, Path) else HERE.with_name(f"{one}.js") for one in SCRIPTS[kind]]
    js = "\n".join(path.read_text("utf-8") for path in paths)
    js = f"{room_script()}\n{js}" if kind == "player" else js
    return st.components.v2.component(f"lecture_{kind}", js=js)
