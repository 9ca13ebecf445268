"""The entry of an underlined term comes to who reads: with a pointer, with the keyboard and with a finger."""

import pytest
from playwright.sync_api import Locator, expect

from pages.terms import TERMS
from tests.browser.visitor import Visitor

TAP = """(term) => {
    const options = { bubbles: true, cancelable: true, pointerType: "touch" };
    term.dispatchEvent(new PointerEvent("pointerdown", options));
    return term.dispatchEvent(new PointerEvent("click", options));
}"""
"""A tap; whether the link would be followed."""


def term(visitor: Visitor, name: str) -> Locator:
    return visitor.page.locator(f'a[href="{TERMS[name].entry}"]')


def entry(visitor: Visitor) -> Locator:
    return visitor.page.get_by_role("tooltip", include_hidden=True).and_(visitor.page.locator("#term_entry"))


def assert_shown(visitor: Visitor, name: str) -> None:
    """The entry of this term is shown, within the window, and in the colours of the page."""
    expect(entry(visitor)).to_be_visible()
    expect(entry(visitor)).to_have_text(TERMS[name].sentence)
    box, window = entry(visitor).bounding_box(), visitor.page.viewport_size
    assert box is not None
    assert window is not None
    assert min(box["x"], box["y"]) >= 0
    assert box["x"] + box["width"] <= window["width"]
    assert box["y"] + box["height"] <= window["height"]
    paper = "(one) => getComputedStyle(one).backgroundColor"
    assert entry(visitor).evaluate(paper) == visitor.page.locator(".stApp").evaluate(paper)


@pytest.mark.long("a telephone; the entries are read in every run")
@pytest.mark.parametrize("theme", ["dark"])
@pytest.mark.parametrize("viewport", [(390, 800)], ids=["390 wide"])
def test_an_entry_is_shown_beside_its_term_and_goes_again(visitor: Visitor) -> None:
    visitor.go_on("/masking", view="paint")
    term(visitor, "softmax").hover()
    assert_shown(visitor, "softmax")
    expect(term(visitor, "softmax")).not_to_have_attribute("title", TERMS["softmax"].sentence)

    visitor.page.mouse.move(1, 1)
    expect(entry(visitor)).to_be_hidden()

    term(visitor, "softmax").focus()
    visitor.page.keyboard.press("Shift+Tab")
    visitor.page.keyboard.press("Tab")
    expect(term(visitor, "softmax")).to_be_focused()
    assert_shown(visitor, "softmax")
    visitor.page.keyboard.press("Escape")
    expect(entry(visitor)).to_be_hidden()

    assert not term(visitor, "score").evaluate(TAP), "the first tap shows"
    assert_shown(visitor, "score")
    visitor.page.mouse.move(1, 1)
