"""On the page Heads: switches that go with their view, a slider, and blocks of a matrix that move."""

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.visitor import Visitor


def lefts(parts: Locator) -> list[float]:
    """Return the left edge of each part."""
    found: list[float] = parts.evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().x)")
    return found


@pytest.mark.long("switches that go with their view, and blocks that move, on one page")
def test_a_balance_and_blocks_that_move_and_switches_that_go_with_their_view(visitor: Visitor) -> None:
    visitor.go_on("/heads", view="how many", heads=8)
    sidebar = visitor.page.get_by_test_id("stSidebar")
    expect(sidebar.get_by_text("Residual", exact=True)).to_be_visible()
    visitor.click(visitor.page.get_by_role("radio", name="two things"))
    expect(sidebar.get_by_text("Residual", exact=True)).to_have_count(0)
    expect(sidebar).not_to_be_visible()
    visitor.page.get_by_role("slider", name="Attention weight on Maria, in %").focus()
    visitor.page.keyboard.press("ArrowRight")
    visitor.settle()
    expect(visitor.page.get_by_text("With 55 % of its weight on Maria")).to_be_visible()

    visitor.click(visitor.page.get_by_role("radio", name="reshape"))
    blocks = visitor.page.locator(".block")
    assert blocks.count() == 8
    before = lefts(blocks)
    visitor.click(visitor.page.get_by_role("radio", name="k × n × d/k"))
    after = lefts(blocks)
    assert before == sorted(before)
    assert after[4] < after[3], "the heads stand in two rows"
    assert visitor.page.get_by_role("img", name="8 blocks apart, 8 by 11 by 6").is_visible()
    assert visitor.overflowing() == []
