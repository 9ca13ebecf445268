"""Components of the browser, each made of the scripts and the style sheets of its feature."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st


@cache
def component(name: str, *files: Path, html: str | None = None) -> Any:
    """Return the component of scripts and style sheets, each kind in the given order."""
    js, css = (
        "\n".join(path.read_text("utf-8") for path in files if path.suffix == kind)
        for kind in (".js", ".css")
    )
    return st.components.v2.component(name, html=html, css=css or None, js=js)


def on_event(key: str, event: str, act: Callable[[Any], object]) -> Callable[[], None]:
    """Return the callback of a component that acts on an event of its script with the data of the event."""

    def heard() -> None:
        if said := st.session_state[key].get(event):
            act(said)

    return heard
