"""The keyboard alone is enough: everything is reached, is seen to be reached, and holds nobody up."""

import numpy as np
import pytest
from playwright.sync_api import Locator, expect

from tests.browser.plot import Plot
from tests.browser.visitor import Visitor


def test_a_switch_can_be_found_and_changed_with_the_keyboard_alone(visitor: Visitor) -> None:
    visitor.open("/", view="matrix", key=3)

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
    visitor.page.keyboard.type("2")
    visitor.page.keyboard.press("Enter")
    visitor.settle()
    expect(visitor.page.get_by_text("met (2) attends to Zuko (3)")).to_be_visible()


@pytest.mark.long("the outline of a button; every run sees that of a switch and of a choice")
def test_where_the_tab_key_has_stopped_wears_an_outline(visitor: Visitor) -> None:
    visitor.open("/")
    for name in ("none", "Scale by √d_head", "The chef …", "all heads"):
        visitor.tab_to(name)
        assert is_outlined(visitor), name


def is_outlined(visitor: Visitor) -> bool:
    """Whether the control that has the focus, or its label, wears an outline."""
    outlined: bool = visitor.page.evaluate("""() => ["*", "label"]
        .map((part) => document.activeElement.closest(part))
        .some((one) => one && parseInt(getComputedStyle(one).outlineWidth) >= 2
            && getComputedStyle(one).outlineStyle === "solid")""")
    return outlined


def test_the_words_of_the_lines_are_two_stops_and_the_arrows_lead_along_them(visitor: Visitor) -> None:
    visitor.open("/", view="lines", text="one two three four", model="random")

    visitor.tab_to("50")
    visitor.page.keyboard.press("Tab")
    expect(word(visitor, "query 1: one")).to_be_focused()
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
    visitor.page.keyboard.press("Tab")
    expect(visitor.page.locator("summary").filter(has_text="Numbers")).to_be_focused()

    visitor.page.keyboard.press("Shift+Tab")
    visitor.page.keyboard.press("Shift+Tab")
    expect(word(visitor, "query 3: three")).to_be_focused()


def word(visitor: Visitor, name: str) -> Locator:
    """A word beside the lines."""
    return visitor.page.get_by_role("button", name=name)


@pytest.mark.long("a part of a word typed into the menu of words; every run types a number into it")
def test_a_word_is_found_by_typing_a_part_of_it_or_its_number(visitor: Visitor) -> None:
    visitor.open("/", view="matrix", model="random", text="the <b> sleeps **the** cat")
    for label, typed, shown in (("Query", "slee", "5 sleeps"), ("Key", "8", "8 the")):
        menu = visitor.page.get_by_role("combobox", name=label)
        menu.click()
        menu.press_sequentially(typed)
        expect(visitor.page.get_by_role("option")).to_have_text([shown])
        visitor.page.keyboard.press("Enter")
        visitor.settle()

    assert visitor.page.url.endswith("&query=5&key=8")
    assert not visitor.page.get_by_label("Query, position").is_visible()
