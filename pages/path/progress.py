"""Marks of a learner's finished stops and exam: the browser sets them, on every page.

The server never keeps them.
"""

from pathlib import Path

from pages.browser.component import component

HERE = Path(__file__).parent

_progress = component("progress", HERE / "exam_mark.js", HERE / "progress.js")


def follow_progress() -> None:
    """Have the browser mark finished stops, and take over the stops of a link."""
    _progress(key="progress", height=0)
