"""Marks of a learner's finished stops and exam, which the browser alone keeps and sets on every page."""

from pathlib import Path

from pages.browser.component import component

HERE = Path(__file__).parent

_progress = component("progress", HERE / "exam_mark.js", HERE / "progress.js")


def follow_progress() -> None:
    """Have the browser mark finished stops, and take over the stops of a link."""
    _progress(key="progress", height=0)
