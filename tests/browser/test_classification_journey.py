"""On the page Classification: a review typed, its words weighed, and a change that turns it round."""

from playwright.sync_api import expect

from tests.browser.visitor import Visitor


def test_a_review_is_judged_weighed_and_turned_round(visitor: Visitor) -> None:
    visitor.open("/classification", text="the film was not good .")
    expect(visitor.page.get_by_text("By the rules it is blame")).to_be_visible()
    visitor.click(visitor.page.get_by_role("radio", name="contributions", exact=True))
    expect(visitor.page.get_by_text("Rank agreement")).to_be_visible()
    visitor.click(visitor.page.get_by_role("radio", name="flips", exact=True))
    expect(visitor.page.get_by_text("2 of 3 changes turn the label round")).to_be_visible()
    visitor.click(visitor.page.get_by_role("radio", name="forgetting", exact=True))
    expect(visitor.page.get_by_text("words after the one that decides:")).to_be_visible()
    assert visitor.page.url.endswith("view=forgetting")
    assert visitor.overflowing() == []
