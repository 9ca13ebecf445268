"""A figure on a visitor's screen: what it shows, and where to point at it."""

from typing import Any

import numpy as np

from tests.browser.visitor import ANSWERED, Visitor

PLACE = """(graph, [x, y, number]) => {
    const { left, top } = graph.getBoundingClientRect();
    const across = graph._fullLayout[`xaxis${number}`], down = graph._fullLayout[`yaxis${number}`];
    return [left + across._offset + across.d2p(x), top + down._offset + down.d2p(y)];
}"""
"""The place of a point of the data in the window; Plotly has no public way to ask."""


class Plot:
    """The figure with this key, on the axes with this number: the first have none."""

    def __init__(self, visitor: Visitor, key: str, *, axes: str = "") -> None:
        self.visitor = visitor
        self.graph = visitor.page.locator(f".st-key-{key} .js-plotly-plot")
        self.axes = axes

    def matrix(self, panel: int = 0) -> np.ndarray:
        """Return the numbers of a heatmap."""
        rows = "(graph, panel) => Array.from(graph._fullData[panel].z, (row) => Array.from(row))"
        return np.array(self._ask(rows, panel), dtype=float)

    def words(self) -> list[str]:
        """Return the words beside the figure as they are drawn."""
        return self.graph.locator(f".y{self.axes}tick text").all_text_contents()

    def paper(self) -> str:
        """Return the colour of the paper as the browser computes it."""
        return str(
            self.graph.locator(".main-svg").first.evaluate("(svg) => getComputedStyle(svg).backgroundColor")
        )

    def click(self, x: float, y: float) -> None:
        """Click a point given in the coordinates of the axes, and wait for the answer."""
        self.visitor.page.mouse.click(*self._place(x, y))
        self.visitor.settle(ANSWERED)

    def point_at(self, x: float, y: float) -> None:
        """Move the mouse there."""
        self.visitor.page.mouse.move(*self._place(x, y))

    def _place(self, x: float, y: float) -> tuple[float, float]:
        self.graph.scroll_into_view_if_needed()
        left, top = self._ask(PLACE, [x, y, self.axes])
        return left, top

    def _ask(self, question: str, *details: Any) -> Any:
        return self.graph.evaluate(question, *details)
