"""A learner walks the path: goes on from stop to stop, finds on the home what is done, and takes it along."""

import pytest
from playwright.sync_api import expect

from tests.browser.visitor import Visitor


def is_done(visitor: Visitor, stop: int) -> bool:
    """Whether the tile of a stop has its mark."""
    mark: str = (
        visitor.page.locator(".tiles.stops li")
        .nth(stop - 1)
        .evaluate("(tile) => getComputedStyle(tile.querySelector('strong'), '::after').content")
    )
    return "✓" in mark


@pytest.mark.long("a learner on the way through the app; each stop is tested without a browser")
def test_the_path_leads_on_and_by_the_map_and_what_is_done_travels_in_an_address(visitor: Visitor) -> None:
    page = visitor.page
    visitor.open("/")
    assert not any(is_done(visitor, stop) for stop in range(1, 13))
    visitor.click(page.locator(".tiles.stops a").nth(3))
    assert "/masking?stop=4&predict=true" in page.url
    above = page.locator(".path").first
    expect(above.get_by_text("Stop 4 of 12")).to_be_visible()
    expect(page.locator(".path.end .lit")).to_have_text(["mask"])
    visitor.click(page.locator(".path.end a.next"))
    assert "/heads?stop=5" in page.url
    visitor.click(page.locator(".path .map a", has_text="scores"))
    assert "/scaling?stop=6" in page.url
    visitor.click(page.get_by_role("link", name="Home"))
    assert not any(is_done(visitor, stop) for stop in range(1, 13)), "nothing was answered"

    page.evaluate("localStorage.setItem('attention-lab-stops', '[4]')")
    page.get_by_role("link", name="Take it along in an address").click()
    page.wait_for_url("**/?done=4")
    visitor.settle()
    expect(page.get_by_text("This address says that stop 4 is done")).to_be_visible()
    visitor.open("/", done="2.12")
    assert [stop for stop in range(1, 13) if is_done(visitor, stop)] == [2, 4, 12]
