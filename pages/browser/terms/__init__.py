"""The entries of underlined terms, shown beside them by the browser on every page."""

from pathlib import Path

from pages.browser.component import component

_entries = component("terms", Path(__file__).with_name("terms.js"))


def follow_terms() -> None:
    """Have a term show its entry under the pointer, with the focus, and after a tap."""
    _entries(key="terms", height=0)
