"""The keys of every page: they work unless the focused element needs the key itself."""

from pathlib import Path

from pages.browser.component import component

SCRIPTS = ("keys.js", "skip.js", "overlays.js", "shortcuts.js")

STEP_BACK, STEP_ON, PLAY = "Key: ←", "Key: →", "Key: P"
"""Tooltips of buttons about the keys that press them."""

KEYS = {
    "→  Page Down  Space": "next step of the lecture or of the view; else one page down",
    "←  Page Up": "previous step; else one page up",
    "P": "plays the steps of the view, or pauses",
    "R": "reveals what is covered; so does the next step",
    "O": "in a lecture: shows all steps at once",
    "12 Enter": "in a lecture: goes to step 12",
    "Home  End": "in a lecture: goes to the first or the last step",
    "L": "turns Large on or off: the picture fills the window; a step of a lecture is always large",
    "H": "on a large page: shows or hides the controls",
    "T": "on a large page: opens the box of the sentence; Enter or Esc closes it",
    "Q": "in a lecture: asks the room the question of the step; later shows or hides the room",
    "B  .": "turns the screen black, or back on",
    "S": "saves the picture in sight as a file; in a lecture: opens the presenter's window",
    "/  Ctrl+K": "finds a view and opens it with your sentence",
    "Z": "undoes the last change on this page, as Back does",
    "Backspace": "in a lecture: restores the step as it was prepared",
    "F5": "on the page Lecture: starts your own lecture; "
    "in a lecture: has no effect, so the page is not reloaded",
    "Esc": "closes a panel or list, ends the black screen, clears the selected cell or word",
    "?": "this list",
}
"""Effects of the keys, on every page where they have one; keys.js knows them too."""

_shortcuts = component("shortcuts", *(Path(__file__).with_name(script) for script in SCRIPTS))


def follow_keys() -> None:
    """Listen for the keys on every page."""
    _shortcuts(key="shortcuts", data={"keys": KEYS}, height=0)
