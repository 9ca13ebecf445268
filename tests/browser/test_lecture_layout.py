"""In a hall the picture fills the window, the last row can read it, and a click hits what is seen."""

import pytest
from playwright.sync_api import Locator

from tests.browser.drawings import DRAWN, assert_fills, measured
from tests.browser.visitor import Visitor

CELL = """(plot, [x, y]) => {
    const box = plot.getBoundingClientRect(), magnified = box.width / plot.offsetWidth;
    const { xaxis, yaxis } = plot._fullLayout;
    const inside = [xaxis._offset + xaxis.d2p(x), yaxis._offset + yaxis.d2p(y)];
    return [box.x + magnified * inside[0], box.y + magnified * inside[1]];
}"""
"""Where the middle of a cell is in the window."""


def cell(plot: Locator, query: int, key: int) -> tuple[float, float]:
    x, y = plot.evaluate(CELL, [key, query])
    return x, y


MARGINS = """() => {
    const row = document.querySelector('[class*="st-key-lecture_panels"]');
    const around = row.getBoundingClientRect();
    const boxes = [...row.querySelectorAll('[class*="_scrolled"]')].map((one) => one.getBoundingClientRect());
    return [Math.min(...boxes.map((one) => one.left)) - around.left,
        around.right - Math.max(...boxes.map((one) => one.right))];
}"""
"""The empty pixels at the left and at the right of the pictures."""


def is_folded(visitor: Visitor) -> bool:
    return not visitor.page.get_by_label("Sentence", exact=True).is_visible()


@pytest.mark.long("clicks on magnified pictures; a lecture is played in every run")
@pytest.mark.parametrize("viewport", [(1280, 720)])
def test_a_picture_fills_the_window_and_clicks_and_strokes_hit_what_is_seen(visitor: Visitor) -> None:
    visitor.go_on("/explorer", lecture=1)
    assert_fills(visitor)
    assert is_folded(visitor)

    plot = visitor.page.locator(".st-key-matrix .js-plotly-plot")
    visitor.page.mouse.click(*cell(plot, 3, 2))
    visitor.settle()
    assert "query=4&key=3" in visitor.page.url

    visitor.go_on("/masking", view="paint", lecture=1)
    assert_fills(visitor)
    plot = visitor.page.locator(".st-key-painted .js-plotly-plot")
    for at, place in enumerate([cell(plot, 1, 2), cell(plot, 1, 3), cell(plot, 1, 4)]):
        visitor.page.mouse.move(*place, steps=3)
        if at == 0:
            visitor.page.mouse.down()
    visitor.page.mouse.up()
    visitor.settle()
    allowed = plot.evaluate("(plot) => [...plot._fullData[0].z[1]].map((value) => value === 0)")
    assert allowed == [True] * 5, "all scores of the second word have 0 added"


@pytest.mark.long("a lecture in a browser")
@pytest.mark.parametrize("viewport", [(1280, 720)])
@pytest.mark.parametrize("view", ["heads", "compare"])
def test_pictures_that_are_limited_by_the_height_stand_in_the_middle(visitor: Visitor, view: str) -> None:
    visitor.go_on("/explorer", view=view, lecture=1)
    assert_fills(visitor)
    left, right = visitor.page.evaluate(MARGINS)
    assert left == pytest.approx(right, abs=2)
    assert left > 20, "this picture does not need the whole width"


@pytest.mark.long("the bar of a lecture, by its act and by the window's edge")
@pytest.mark.parametrize("viewport", [(1280, 720)])
def test_the_controls_come_by_the_act_and_by_the_edge_and_lead_out(visitor: Visitor) -> None:
    visitor.go_on("/interaction-distance", view="networks", lecture=1)
    act = "() => document.dispatchEvent(new CustomEvent('act', { detail: 'controls', cancelable: true }))"
    before = measured(visitor)
    assert visitor.page.evaluate(act) is False, "somebody has done it"
    assert not is_folded(visitor)
    assert measured(visitor)["seen"] == before["seen"], "the picture stays where it is"
    visitor.page.evaluate(act)
    assert is_folded(visitor)

    visitor.page.mouse.move(640, 1)
    assert not is_folded(visitor)
    visitor.page.mouse.move(640, 700)
    visitor.page.wait_for_function("() => !document.documentElement.dataset.controls")
    assert is_folded(visitor)

    visitor.page.get_by_role("button", name="Show the controls").press("Enter")
    visitor.click(visitor.page.locator(".st-key-lecture label"))
    assert "lecture" not in visitor.page.url
    assert not is_folded(visitor)
    assert visitor.page.locator(DRAWN).count() == 0
