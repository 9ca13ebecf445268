"""On a telephone the switches are one tap away, and nothing in the line of the menu lies over the drawer."""

from itertools import pairwise

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.visitor import Visitor

pytestmark = pytest.mark.parametrize("viewport", [(390, 844)], ids=["390 wide"])


def is_seen(one: Locator) -> bool:
    """Return whether something can be seen, inside of a component too."""
    return bool(
        one.evaluate("(node) => getComputedStyle(node).visibility !== 'hidden' && node.offsetHeight > 0")
    )


def test_one_tap_leads_to_the_switches_and_the_drawer_has_a_way_out(visitor: Visitor) -> None:
    page = visitor.page
    visitor.open("/explorer")
    button = page.locator(".st-key-switches button")
    in_line = [button, page.locator(".collect button"), page.locator(".opener"), page.locator(".undo button")]
    assert all(is_seen(one) for one in in_line)
    boxes = [one.bounding_box() for one in (page.get_by_test_id("stExpandSidebarButton"), *in_line)]
    ends = [(box["x"], box["x"] + box["width"]) for box in boxes if box]
    assert all(end <= start for (_, end), (start, _) in pairwise(ends[:3])), ends

    button.click()
    expect(
        page.get_by_test_id("stSidebarUserContent").get_by_text("Positions", exact=True)
    ).to_be_in_viewport()
    page.wait_for_function("() => document.activeElement?.closest('[data-testid=stSidebarUserContent]')")
    assert not any(is_seen(one) for one in in_line), "they would lie over the drawer"
    visitor.click(page.get_by_test_id("stSidebarUserContent").get_by_role("radio", name="bidirectional"))
    assert "mask=bidirectional" in page.url
    page.get_by_test_id("stSidebarCollapseButton").locator("button").click()
    expect(page.get_by_role("button", name="Switches", exact=True)).to_be_visible()
    assert all(is_seen(one) for one in in_line)


@pytest.mark.long("the drawer of a stop; a drawer is opened in every run")
def test_a_stop_keeps_its_other_switches_in_the_drawer_and_a_page_without_any_has_no_button(
    visitor: Visitor,
) -> None:
    page = visitor.page
    visitor.open("/masking", view="paint", stop=4)
    page.get_by_role("button", name="Switches", exact=True).click()
    fold = page.get_by_test_id("stSidebarUserContent").get_by_text("More switches")
    expect(fold).to_be_in_viewport()
    fold.click()
    expect(page.get_by_test_id("stSidebarUserContent").get_by_text("Layer norm")).to_be_visible()
    for address, large in (
        ("/glossary", {}),
        ("/masking", {"large": "true"}),
    ):  # it would lie over a large picture
        visitor.open(address, **large)
        expect(page.get_by_role("button", name="Switches", exact=True)).to_be_hidden()


@pytest.mark.long("two windows; a drawer is opened in every run")
def test_an_open_drawer_lies_over_no_other_page_and_a_wide_window_keeps_its_sidebar(visitor: Visitor) -> None:
    page = visitor.page
    sidebar = page.locator(".stSidebar")
    visitor.open("/masking", view="paint")
    page.get_by_role("button", name="Switches", exact=True).click()
    expect(sidebar).to_have_attribute("data-collapsed", "false")
    for come in (visitor.open, visitor.go_on):
        come("/explorer")
        expect(sidebar).to_have_attribute("data-collapsed", "true")
        page.get_by_role("button", name="Switches", exact=True).click()
        expect(sidebar).to_have_attribute("data-collapsed", "false")
        visitor.go_on("/masking", view="paint")
        expect(sidebar).to_have_attribute("data-collapsed", "true")
    visitor.resize(1280, 720)
    visitor.open("/explorer")
    expect(sidebar).to_have_attribute("data-collapsed", "false")
    visitor.forget()  # the next visitor's window has another size


@pytest.mark.long("a bar of a question on a telephone")
def test_a_bar_that_is_drawn_is_wide_enough_to_drag(visitor: Visitor) -> None:
    visitor.open("/positions", view="alibi", predict="true")
    track = visitor.page.locator("#questions, .questions").get_by_role("slider").first.bounding_box()
    assert track is not None
    assert track["width"] > 390 / 3
