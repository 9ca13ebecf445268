"""What a view has found is covered by the link, until somebody who has asked the room reveals it.

The plate over it is taken away in the browser alone, by a key or a button: see cover.js.
"""

import re
from contextlib import AbstractContextManager
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from pages.contract.answers import Answers
from pages.contract.ask import Ask

COVER, PRESENTER = "cover", "presenter"
"""The parameters that say whether a view is covered, and whether the presenter's window is shown."""

SPELT = {"1": True, "true": True, "0": False, "false": False}

HERE = Path(__file__)


def read_flag(text: str) -> bool:
    """Return whether a link sets a flag such as the cover. Raises ValueError if it says something else."""
    if text.lower() not in SPELT:
        raise ValueError("it can be 1 or absent")
    return SPELT[text.lower()]


def ask_cover(ask: Ask) -> bool:
    """Whether the link covers what a view has found; a note says so where a flag cannot be read."""
    ask.spelt(PRESENTER, read_flag, default=False, instead="the page")
    return bool(ask.spelt(COVER, read_flag, default=False, instead="the view"))


def covers(answers: Answers) -> bool:
    """Whether the link covers it, without a note."""
    return SPELT.get(str(answers.spelling(COVER)).lower(), False)


def plate_key(view: str) -> str:
    """The key of what is covered by the link in a view, such as `masking paint`.

    The frame's style sheet hides what has such a key, as it does what questions cover.
    """
    return f"covered_until_key_{re.sub('[^a-z0-9]+', '_', view.lower())}"


def put_plate(view: str) -> None:
    """Put the plate on the page that stands in place of what is covered."""
    _plate()(key="plate", data={"cover": plate_key(view)})


def under_plate(view: str, what: str) -> AbstractContextManager[Any]:
    """A container whose contents are hidden until they are revealed; a name tells it from others."""
    return st.container(key=f"{plate_key(view)}__{what}")


@cache
def _plate() -> Any:
    """The component of the script and the style sheet beside this file."""
    js, css = (HERE.with_suffix(kind).read_text("utf-8") for kind in (".js", ".css"))
    return st.components.v2.component("plate", js=js, css=css)
