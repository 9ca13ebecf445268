"""A link is a prepared demo: it shows the same numbers to everybody, and goes along from page to page."""

import pytest
from playwright.sync_api import expect

from pages.contract.examples import PRAISED
from tests.browser.visitor import Visitor


@pytest.mark.long("the way back over all kinds of pages")
def test_each_page_is_one_step_and_back_restores_its_state(visitor: Visitor) -> None:
    visitor.open("/explorer", text="one two three", model="random", layers=3, seed=5)
    visitor.type("Sentence", "a b c d")
    left = visitor.page.url
    follow(visitor, "Mechanism", "Interaction distance")
    follow(visitor, "Mechanism", "Scaling")

    visitor.page.go_back()
    expect(visitor.page).to_have_url(f"{visitor.server.address}/interaction-distance?text=a+b+c+d&layers=3")
    visitor.settle()
    expect(visitor.page.get_by_label("Sentence")).to_have_value("a b c d")

    visitor.page.go_back()
    expect(visitor.page).to_have_url(left)
    visitor.settle()
    expect(visitor.page.get_by_label("Sentence")).to_have_value("a b c d")
    expect(visitor.page.get_by_label("Seed", exact=True)).to_have_value("5")

    visitor.page.go_forward()
    visitor.settle()
    expect(visitor.page.get_by_label("Sentence")).to_have_value("a b c d")
    assert visitor.page.url.endswith("/interaction-distance?text=a+b+c+d&layers=3")

    visitor.type("Sentence", "e f")
    visitor.page.go_back()
    visitor.settle()
    expect(visitor.page.get_by_label("Sentence")).to_have_value("a b c d")
    visitor.page.go_back()
    expect(visitor.page, "what is typed later changes nothing before").to_have_url(left)
    visitor.settle()
    expect(visitor.page.get_by_label("Sentence")).to_have_value("a b c d")

    visitor.go_on("/explorer")
    expect(visitor.page.get_by_label("Sentence")).to_have_value(PRAISED)


def follow(visitor: Visitor, group: str, title: str) -> None:
    """Choose a page in the navigation."""
    visitor.click(visitor.page.get_by_test_id("stTopNavSection").filter(has_text=group))
    visitor.click(visitor.page.get_by_test_id("stTopNavDropdownLink").filter(has_text=title))
