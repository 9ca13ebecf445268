"""The home: a guess, a search among all views, and tiles that lead on in the same tab."""

import pytest
from playwright.sync_api import expect

from tests.browser.visitor import Visitor


@pytest.mark.parametrize("viewport", [(390, 800)], ids=["390 wide"])
def test_from_the_question_to_a_view_and_back(visitor: Visitor) -> None:
    visitor.open("/")
    visitor.click(visitor.page.get_by_role("button", name="Zuko"))
    expect(visitor.page.get_by_text("The model expects Maria")).to_be_visible()
    assert visitor.overflowing() == []
    assert visitor.illegible() == []

    visitor.type("Find a view", "residual")
    found = visitor.page.locator(".tiles.cards a[href*='view=']")
    found = found.filter(has=visitor.page.get_by_text("residual", exact=True))
    expect(found).to_have_count(1)
    left = visitor.page.url
    assert left.endswith("/?guess=Zuko&wanted=residual")

    visitor.click(found)
    assert visitor.page.url == f"{visitor.server.address}/blocks?view=residual"
    expect(visitor.page.get_by_role("radio", name="residual")).to_be_checked()
    assert len(visitor.context.pages) == 1

    visitor.page.go_back()
    visitor.settle()
    assert visitor.page.url == left
    expect(visitor.page.get_by_text("The model expects Maria")).to_be_visible()
