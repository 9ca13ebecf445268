"""The keyboard alone is enough: it reaches every control, visibly, and no control traps it."""

import numpy as np
import pytest
from playwright.sync_api import Locator, expect

from tests.browser.plot import Plot
from tests.browser.visitor import Visitor


def test_a_switch_can_be_found_and_changed_with_the_keyboard_alone(visitor: Visitor) -> None:
    visitor.go_on("/explorer", text="hot tea so", key=3)

    visitor.tab_to("causal")
    assert is_outlined(visitor)
    visitor.page.keyboard.press("ArrowRight")
    visitor.page.keyboard.press("Space")
    visitor.settle()
    assert "mask=bidirectional" in visitor.page.url
    assert not np.isnan(Plot(visitor, "matrix").matrix()).any()

    visitor.tab_to("Scale by √d_head")
    assert is_outlined(visitor)
    visitor.page.keyboard.press("Space")
    visitor.settle()
    assert "scale=false" in visitor.page.url

    visitor.tab_to("Query")
    visitor.settle()  # a list closes when the page scrolls, and Tab has just scrolled it
    visitor.page.keyboard.type("2")
    expect(visitor.page.get_by_role("option")).to_have_count(1)
    visitor.page.keyboard.press("Enter")
    visitor.settle()
    expect(visitor.page.get_by_text("tea (2) attends to so (3)")).to_be_visible()


@pytest.mark.long("the order of Tab; a switch is changed by keys in every run")
def test_the_views_are_two_keys_from_the_top(visitor: Visitor) -> None:
    visitor.open("/masking")
    visitor.page.keyboard.press("Tab")
    skip = visitor.page.get_by_role("button", name="Skip to the views")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    visitor.page.keyboard.press("Enter")
    expect(visitor.page.get_by_role("radio", name="paint")).to_be_focused()


def is_outlined(visitor: Visitor) -> bool:
    """Return whether the focused control or its label has an outline."""
    outlined: bool = visitor.page.evaluate("""() => ["*", "label"]
        .map((part) => document.activeElement.closest(part))
        .some((one) => one && parseInt(getComputedStyle(one).outlineWidth) >= 2
            && getComputedStyle(one).outlineStyle === "solid")""")
    return outlined


@pytest.mark.long("the keys of one drawing; switches are reached with keys in every run")
def test_the_words_of_the_lines_are_two_stops_and_the_arrows_lead_along_them(visitor: Visitor) -> None:
    visitor.open("/explorer", drawn="lines", text="one two three four", model="random")

    first = word(visitor, "query 1: one")
    for _ in range(150):
        visitor.page.keyboard.press("Tab")
        if first.evaluate("one => one === one.getRootNode().activeElement"):
            break
    expect(first).to_be_focused()
    for key, reached in [
        ("ArrowDown", "2: two"),
        ("End", "4: four"),
        ("ArrowDown", "4: four"),
        ("ArrowUp", "3: three"),
    ]:
        visitor.page.keyboard.press(key)
        expect(word(visitor, f"query {reached}")).to_be_focused()
    visitor.page.keyboard.press("Tab")
    expect(word(visitor, "key 1: one")).to_be_focused()
    visitor.page.keyboard.press("Enter")
    visitor.page.wait_for_url("**key=1**")
    visitor.settle()
    expect(word(visitor, "key 1: one")).to_be_focused()

    visitor.page.keyboard.press("Shift+Tab")
    expect(word(visitor, "query 1: one")).to_be_focused()


def word(visitor: Visitor, name: str) -> Locator:
    """Return a word beside the lines."""
    return visitor.page.get_by_role("button", name=name)
