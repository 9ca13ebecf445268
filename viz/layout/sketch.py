"""A figure under construction: plain dicts of Plotly's vocabulary, unchecked while they grow."""

from dataclasses import dataclass
from typing import Any

from viz.layout.figure import Figure, packed
from viz.theme import FONT, Theme

Trace = dict[str, Any]


@dataclass(frozen=True)
class Sketch:
    """The traces of a figure and its layout; `layout` is one level deep, so that an axis is set as a whole.

    Its methods have the names and arguments of Plotly's, but nested attributes only as dicts.
    """

    data: list[Trace]
    layout: dict[str, Any]

    def update_layout(self, **look: Any) -> None:
        """Set attributes of the layout, each as a whole."""
        self.layout.update(look)

    def add_trace(self, trace: Trace) -> None:
        """Draw a trace above the existing ones."""
        self.data.append(trace)

    def add_annotation(self, **look: Any) -> None:
        """Write a note."""
        self.layout.setdefault("annotations", []).append(look)

    def add_shape(self, **look: Any) -> None:
        """Draw a line or a rectangle."""
        self.layout.setdefault("shapes", []).append(look)

    def add_layout_image(self, **look: Any) -> None:
        """Lay an image below or above the traces."""
        self.layout.setdefault("images", []).append(look)

    def finished(self) -> Figure:
        """Return the figure, which no longer depends on this sketch."""
        return Figure(packed({"data": self.data, "layout": self.layout}))


def trace_of(kind: str, **look: Any) -> Trace:
    """Return a trace of one of Plotly's kinds: heatmap, scatter, bar."""
    return {"type": kind, **look}


def blank(theme: Theme, *, height: int, width: int | None = None) -> Sketch:
    """Return an empty figure in this theme: paper, type and margins set, no axes, grid or legend.

    Height and width are pixels; without a width the figure fills its container.

    Streamlit (1.67) makes the browser draw every figure twice, the second time from a copy. Plotly skips
    unchanged parts; with an equal `datarevision` other arrays count as unchanged. Another figure goes into a
    new element.
    """
    hidden = {"visible": False, "fixedrange": True}
    return Sketch(
        data=[],
        layout={
            "height": height,
            "width": width,
            "autosize": width is None,
            "datarevision": 0,
            "paper_bgcolor": theme.paper,
            "plot_bgcolor": theme.paper,
            "font": {"family": FONT, "size": 15, "color": theme.ink},
            "margin": {"l": 8, "r": 8, "t": 8, "b": 8},
            "showlegend": False,
            "dragmode": False,
            "hoverlabel": {
                "font": {"family": FONT, "size": 15, "color": theme.ink},
                "bgcolor": theme.paper,
                "bordercolor": theme.line,
            },
            "xaxis": dict(hidden),
            "yaxis": dict(hidden),
        },
    )
