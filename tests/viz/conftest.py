"""What tests of figures can rely on: none that they draw has an attribute that Plotly does not know."""

from tests.opened import open_every_figure

__all__ = ["open_every_figure"]
