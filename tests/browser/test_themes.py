"""Light and dark: the paper of every figure is that of the page, and nothing of a figure is cut off."""

from typing import Any

import pytest

from tests.browser.plot import Plot
from tests.browser.visitor import Visitor

LARGE = {"heads": 8, "layers": 6, "positions": "alibi"}
FIGURES: list[tuple[str, dict[str, Any], list[str]]] = [
    ("/", {"view": "all heads", **LARGE}, ["heads_grid", "matrix"]),
    ("/", {"view": "matrix", **LARGE}, ["matrix"]),
    ("/", {"view": "stages", **LARGE}, ["stages"]),
    ("/", {"view": "compare", **LARGE}, ["comparison"]),
    ("/interaction-distance", {}, ["recurrent", "attention"]),
    ("/interaction-distance", {"view": "operations"}, ["operations_chart"]),
    ("/interaction-distance", {"view": "recall"}, ["recall_chart"]),
    ("/interaction-distance", {"view": "influence"}, ["influence"]),
    ("/order-invariance", {}, ["orders"]),
    ("/order-invariance", {"view": "every setting"}, ["verdicts"]),
    ("/order-invariance", {"view": "who did what to whom"}, ["exchange"]),
]
"""Where figures are: a page, its parameters, and the keys of its figures."""

CUT_OFF = """(frames) => frames.filter((frame) => frame.scrollWidth > frame.clientWidth)
    .map((frame) => frame.className)"""
"""Frames of figures that are wider than the room they have on a projector."""

PAPERS = [("light", "rgb(255, 255, 255)"), ("dark", "rgb(15, 20, 25)")]


@pytest.mark.parametrize("theme", ["dark"])
def test_figures_are_whole_and_drawn_in_the_colours_of_the_page(visitor: Visitor) -> None:
    _, (_, dark) = PAPERS
    for page, parameters, figures in FIGURES:
        visitor.go_on(page, **parameters)
        assert paper(visitor) == dark
        for figure in figures:
            assert Plot(visitor, figure).paper() == dark
        assert visitor.page.locator("[class*=_scrolled]").evaluate_all(CUT_OFF) == []

    visitor.go_on("/", view="lines")
    colours = visitor.page.locator(".st-key-lines svg path").evaluate_all(
        "(paths) => [...new Set(paths.map((path) => path.getAttribute('stroke')))]"
    )
    assert colours == ["#56B4E9"]


def test_figures_follow_when_the_visitor_changes_the_theme(visitor: Visitor) -> None:
    (_, light), (_, dark) = PAPERS
    visitor.open("/", view="matrix")
    assert paper(visitor) == light
    assert Plot(visitor, "matrix").paper() == light

    visitor.page.emulate_media(color_scheme="dark")
    visitor.page.wait_for_function(
        """(paper) => {
            const graph = document.querySelector(".st-key-matrix .main-svg");
            return graph && getComputedStyle(graph).backgroundColor === paper;
        }""",
        arg=dark,
    )
    visitor.settle()

    assert Plot(visitor, "matrix").paper() == dark
    assert paper(visitor) == dark


def paper(visitor: Visitor) -> str:
    """The colour behind everything, as the browser computes it."""
    app = visitor.page.get_by_test_id("stApp")
    return str(app.evaluate("(element) => getComputedStyle(element).backgroundColor"))
