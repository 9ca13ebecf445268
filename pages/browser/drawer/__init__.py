"""A button that opens the switches in a narrow window, where they lie in a drawer below the menu."""

from pathlib import Path

from pages.browser.component import component

HERE = Path(__file__).parent

_switches = component(
    "switches", *(HERE / "drawer.js", HERE / "drawer.css"), html='<button type="button">Switches</button>'
)


def offer_switches() -> None:
    """Draw the button that opens the drawer; frame.css shows it in narrow windows."""
    _switches(key="switches", height=0)
