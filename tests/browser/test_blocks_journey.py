"""On the page Blocks: deeper models, a word whose statistics stay; and the way there from Sources."""

import pytest
from playwright.sync_api import expect

from tests.browser.plot import Plot
from tests.browser.visitor import Visitor


def test_a_word_keeps_its_statistics_when_all_others_change(visitor: Visitor) -> None:
    visitor.open("/blocks", text="the oven cooked the bread so")
    visitor.click(visitor.page.get_by_role("radio", name="4", exact=True).first)
    visitor.click(visitor.page.get_by_role("radio", name="24"))
    expect(visitor.page.get_by_text("Before any training, 24 blocks deep")).to_be_visible()
    assert "depth=24" in visitor.page.url

    visitor.click(visitor.page.get_by_role("radio", name="layer norm"))
    Plot(visitor, "tokens").click(4, 0.5)
    assert "word=5" in visitor.page.url
    visitor.click(visitor.page.get_by_text("Change all other words", exact=True).first)

    expect(visitor.page.get_by_text("the statistics of bread changed by 0")).to_be_visible()
    assert "others=true" in visitor.page.url
    assert visitor.exceptions() == []


@pytest.mark.long("a link of Sources as a browser reads it; sessions without one open them all")
def test_sources_lead_to_the_place_in_the_app(visitor: Visitor) -> None:
    visitor.open("/sources")
    link = visitor.page.get_by_role("link", name="Blocks: two layers in one")

    visitor.open(link.get_attribute("href") or "")

    expect(visitor.page.get_by_text("the same, up to rounding")).to_be_visible()
    assert visitor.exceptions() == []
