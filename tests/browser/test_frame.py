"""The frame of all pages: it is whole in half a window, and its navigation leads to every page."""

import pytest
from playwright.sync_api import expect

from pages import GROUPS, group_of
from tests.browser.drawings import watch
from tests.browser.navigation import marked_menus
from tests.browser.visitor import Theme, Visitor
from tests.browser.whole import LARGE, assert_whole
from tests.views import PAGES

View = tuple[str, str]
"""The address of a page, and one of its views."""

ONE_OF_EACH: list[View] = [
    (entries[-1].address, next(iter(PAGES[entries[-1].address].views))) for entries in GROUPS.values()
]
"""A page of each group of the navigation."""


@pytest.mark.long("pages in half a window; telephones and whole windows are in every run")
@pytest.mark.parametrize("theme", ["dark"])
@pytest.mark.parametrize("viewport", [(900, 900)], ids=["900 wide"])
def test_a_page_of_each_group_is_whole_in_half_a_window(visitor: Visitor, theme: Theme) -> None:
    examined: set[str] = set()
    watch(visitor)
    for address, view in ONE_OF_EACH:
        visitor.page.evaluate("() => window.boxes?.clear()")
        visitor.go_on(address, view=view)
        assert_whole(visitor, theme, examined)
        assert marked_menus(visitor) == [group for group in [group_of(address)] if group]
    visitor.go_on("explorer", view="compare", **LARGE)
    assert_whole(visitor, theme, examined)


def test_the_navigation_has_every_page_and_leads_there(visitor: Visitor) -> None:
    visitor.go_on("/")
    links = visitor.page.get_by_test_id("stTopNavDropdownLink")
    for group, entries in list(GROUPS.items())[1:]:  # the first has no menu, its page stands in the bar
        visitor.page.get_by_test_id("stTopNavSection").filter(has_text=group).click()
        expect(links).to_have_text([entry.title for entry in entries])
        addresses = [f"{visitor.server.address}/{entry.address}" for entry in entries]
        assert links.evaluate_all("(all) => all.map((one) => one.href.split('?')[0])") == addresses

    visitor.click(links.last)
    assert visitor.page.url.split("?")[0] == addresses[-1]
    assert marked_menus(visitor) == [group]
    assert visitor.exceptions() == []


@pytest.mark.long("telephones alone, where the sidebar lies over the page")
@pytest.mark.parametrize("viewport", [(390, 800)], ids=["390 wide"])
def test_the_sidebar_does_not_stay_over_the_page_that_it_has_led_to(visitor: Visitor) -> None:
    visitor.open("/sources")
    visitor.page.get_by_test_id("stExpandSidebarButton").click()
    sidebar = visitor.page.get_by_test_id("stSidebar")
    expect(sidebar).to_have_attribute("data-collapsed", "false")

    visitor.click(visitor.page.get_by_test_id("stSidebarNavLink").filter(has_text="Scaling"))

    expect(sidebar).to_have_attribute("data-collapsed", "true")
    assert visitor.page.url == f"{visitor.server.address}/scaling"
