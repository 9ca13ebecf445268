"""What a view has found is covered by the link, until somebody who has asked the room reveals it.

The plate over it is taken away in the browser alone, by a key or a button: see cover.js.
"""

from contextlib import AbstractContextManager
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from pages.contract.cover import plate_key

HERE = Path(__file__)


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
