"""In a hall the picture fills the window, the last row can read it, and clicks hit their targets."""

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.drawings import DRAWN, assert_fills, measured
from tests.browser.visitor import Visitor

CELL = """(plot, [x, y]) => {
    const box = plot.getBoundingClientRect(), magnified = box.width / plot.offsetWidth;
    const { xaxis, yaxis } = plot._fullLayout;
    const inside = [xaxis._offset + xaxis.d2p(x), yaxis._offset + yaxis.d2p(y)];
    return [box.x + magnified * inside[0], box.y + magnified * inside[1]];
}"""
"""The middle of a cell in the window."""


def cell(plot: Locator, query: int, key: int) -> tuple[float, float]:
    x, y = plot.evaluate(CELL, [key, query])
    return x, y


FREE = """() => {
    const controls = [".st-key-large_bar", ".stAppHeader", '[class*="st-key-large_panels"]'];
    const [bar, menu, picture] = controls.map((one) => document.querySelector(one).getBoundingClientRect());
    return bar.right <= picture.left && menu.bottom <= picture.top ? picture.left : 0;
}"""
"""The pixels beside the picture if no control lies over it."""


BELOW = "() => document.querySelector('.st-key-large_below').getBoundingClientRect().top >= innerHeight - 1"


def is_folded(visitor: Visitor) -> bool:
    return not visitor.page.get_by_label("Sentence", exact=True).is_visible()


@pytest.mark.long("clicks on magnified pictures; a large step is played in every run")
@pytest.mark.parametrize("viewport", [(1280, 720)])
def test_a_picture_fills_the_window_and_clicks_and_strokes_hit_their_targets(visitor: Visitor) -> None:
    visitor.go_on("/explorer", large=1)
    assert_fills(visitor)
    assert visitor.page.evaluate(BELOW), "text below the picture begins below the window"
    assert is_folded(visitor)

    plot = visitor.page.locator(".st-key-matrix .js-plotly-plot")
    visitor.page.mouse.click(*cell(plot, 3, 2))
    visitor.settle()
    assert "query=4&key=3" in visitor.page.url

    visitor.go_on("/masking", view="paint", large=1)
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


@pytest.mark.long("the bar of a large page, by its act and by the window's edge")
@pytest.mark.parametrize("viewport", [(1280, 720)])
def test_the_controls_come_by_the_act_and_by_the_edge_and_lead_out(visitor: Visitor) -> None:
    visitor.go_on("/interaction-distance", view="networks", large=1)
    act = "() => document.dispatchEvent(new CustomEvent('act', { detail: 'controls', cancelable: true }))"
    before = measured(visitor)
    for width in (1280, 900):
        visitor.resize(width, 720)
        assert visitor.page.evaluate(act) is False, "somebody has done it"
        assert not is_folded(visitor)
        assert visitor.page.evaluate(FREE) > 200, "the controls stand beside the picture"
        visitor.page.evaluate(act)
        assert is_folded(visitor)
    visitor.resize(1280, 720)
    assert measured(visitor)["seen"] == before["seen"], "the picture fills the window again"

    visitor.page.mouse.move(640, 1)
    assert not is_folded(visitor)
    visitor.page.mouse.move(640, 700)
    visitor.page.wait_for_function("() => !document.documentElement.dataset.controls")
    assert is_folded(visitor)

    visitor.page.get_by_role("button", name="Show the controls").press("Enter")
    visitor.click(visitor.page.locator(".st-key-large label"))
    assert "large" not in visitor.page.url
    assert not is_folded(visitor)
    assert visitor.page.locator(DRAWN).count() == 0

    visitor.page.keyboard.press("l")
    visitor.page.wait_for_url("**large=true**")
    expect(visitor.page.locator(DRAWN)).to_have_count(1)
    visitor.page.keyboard.press("l")
    expect(visitor.page.locator(DRAWN)).to_have_count(0)
    assert "large" not in visitor.page.url
