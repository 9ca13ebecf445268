"""The navigation has every page and leads there, on a projector and on a telephone."""

import pytest
from playwright.sync_api import expect

from pages import GROUPS
from tests.browser.navigation import marked_menus
from tests.browser.visitor import Visitor


def test_the_navigation_has_every_page_and_leads_there(visitor: Visitor) -> None:
    visitor.open("/")
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
