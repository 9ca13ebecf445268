"""Undo: a button and a key that go back in the browser's history, which has an entry for each act."""

from pathlib import Path

from pages.browser.component import component
from pages.contract.parameters import SELECTIONS

HERE = Path(__file__).parent

KEYS = {
    "Z": "undoes the last change on this page, as the button does",
    "Esc": "clears the selected cell or word",
    "← →": "previous and next step",
    "P": "plays the steps, or pauses",
    "/": "finds a view",
    "?": "lists all keys",
}

_explanation = "".join(f"<kbd>{key}</kbd><span>{what}</span>" for key, what in KEYS.items())
_history = component(
    "history",
    *(HERE / "history.js", HERE / "history.css"),
    html=f"""<div class="undo">
        <button type="button" aria-keyshortcuts="Z" aria-describedby="keys" disabled>
            ↶ <span>Undo</span></button>
        <div id="keys" role="tooltip">{_explanation}</div>
    </div>""",
)


def keep_history() -> None:
    """Add the button and key that go back act by act, and the key that clears a selection."""
    _history(key="history", data={"selections": list(SELECTIONS)}, height=0)
