"""The visitor's connection: when it is back after a loss, the process now connected redraws the page."""

from pathlib import Path

from pages.browser.component import component

_watch = component("connection", Path(__file__).with_name("connection.js"))

LONGEST = 1500
"""Milliseconds over which the pages of a class that reconnect together are redrawn."""


def follow_connection() -> None:
    """Rerun the app when its page is connected again: another process then draws the same picture."""
    _watch(key="connection", data={"longest": LONGEST}, on_back_change=lambda: None, height=0)
