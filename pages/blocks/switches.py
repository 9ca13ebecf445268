"""The switches of the page's views."""

from pages.controls.switches import WITHOUT_WINDOW

AT_START = WITHOUT_WINDOW - {"model", "layers", "norm"}
"""Switches of models that have learned nothing yet, of any depth and with the norm anywhere."""
