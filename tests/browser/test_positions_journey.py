"""On the page of positions: from all schemes into one, and a query and a key moved on together."""

import pytest
from playwright.sync_api import expect

from tests.browser.plot import Plot
from tests.browser.visitor import Visitor


@pytest.mark.parametrize("theme", ["dark"])
def test_from_all_schemes_into_rotary_where_arrows_turn_and_the_score_stays(visitor: Visitor) -> None:
    visitor.open("/positions")
    Plot(visitor, "schemes", axes="5").click(1, 1)
    expect(visitor.page.get_by_role("radio", name="rotary")).to_be_checked()
    assert visitor.page.url.endswith("/positions?view=rotary")

    frame = Plot(visitor, "everywhere").matrix()[5, 1]
    score = visitor.page.get_by_text("is the sum of the numbers under the circles").locator("strong").first
    before = score.inner_text()
    expect(visitor.page.get_by_text("at positions 9 and 5: the two scores differ")).to_be_visible()
    visitor.page.get_by_role("slider").focus()
    for _ in range(3):
        visitor.page.keyboard.press("ArrowRight")
    visitor.settle()

    assert "moved=6" in visitor.page.url
    expect(visitor.page.get_by_text("at positions 12 and 8: the two scores differ")).to_be_visible()
    assert score.inner_text() == before
    assert Plot(visitor, "everywhere").matrix()[11, 7] == pytest.approx(frame, abs=1e-6)
