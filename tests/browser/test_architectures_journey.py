"""On the page Architectures: a click on a box, and on a part of it, opens what it computed."""

import pytest
from playwright.sync_api import expect

from tests.browser.plot import Plot
from tests.browser.visitor import Visitor

PLACE = """(graph, name) => {
    const points = graph._fullData.find((trace) => trace.customdata?.includes?.(name));
    const at = points.customdata.indexOf(name);
    return [points.x[at], points.y[at]];
}"""
"""Where a box of a drawing lies, in the coordinates of its axes."""


def click(visitor: Visitor, picture: str, name: str) -> None:
    """Click the box of a drawing that reports this name."""
    plot = Plot(visitor, picture)
    plot.click(*plot.graph.evaluate(PLACE, name))


@pytest.mark.long("clicks on a drawing; clicks on a heatmap are in every run")
def test_a_clicked_box_is_opened_and_stands_in_the_link(visitor: Visitor) -> None:
    visitor.go_on("/architectures", mask="causal", text="the oven cooked the bread so")
    click(visitor, "architecture", "blocks.0.mlp")
    assert "part=feed-forward" in visitor.page.url
    click(visitor, "inside_part", "hidden")
    assert "inside=hidden+layer" in visitor.page.url
    expect(visitor.page.get_by_text("Its output has the shape 6 × 192.")).to_be_visible()

    click(visitor, "architecture", "blocks.0.mid.sum")
    assert "part=sum+after+self-attention" in visitor.page.url
    expect(visitor.page.get_by_text("Its output has the shape 6 × 48.")).to_be_visible()
    visitor.click(visitor.page.get_by_text("Residual", exact=True).first)
    expect(visitor.page.get_by_text("Masked self-attention").first).to_be_visible()
    assert "part=" not in visitor.page.url
    assert visitor.exceptions() == []
