"""Every page can be reached and looks whole: on a projector and in half a window, in light and in dark."""

import pytest
from playwright.sync_api import expect

from pages import GROUPS, group_of
from tests.browser.visitor import Visitor
from tests.views import PAGES

ONE_OF_EACH = [entries[-1].address for entries in GROUPS.values()]
"""A page of each group of the navigation."""


DARK = "rgb(15, 20, 25)"
"""The paper of the dark theme, as a browser writes it."""

LARGE = {"heads": 8, "layers": 6, "positions": "alibi"}
"""Switches with which the explorer has its largest figures."""

BESIDE_EACH_OTHER = [
    *(("/explorer", "all heads"), ("/positions", "alibi"), ("/positions", "rotary")),
    *(("/generation", "side by side"), ("/masking", "mask values"), ("/architectures", "encoder")),
]
"""Views with figures in columns, which have least room where the page is just too wide to stack them."""

PAPERS = """() => [
    document.querySelector("[data-testid=stApp]"),
    ...document.querySelectorAll(".js-plotly-plot .main-svg:first-of-type"),
].map((paper) => getComputedStyle(paper).backgroundColor)"""
"""What the page and each of its figures are drawn on."""


@pytest.mark.parametrize("theme", ["dark"])
@pytest.mark.parametrize("viewport", [(900, 900)], ids=["900 wide"])
def test_pages_are_whole_in_half_a_window_and_as_dark_as_their_figures(visitor: Visitor) -> None:
    for address in ONE_OF_EACH:
        visitor.go_on(address)
        assert_whole(visitor)
        assert set(visitor.page.evaluate(PAPERS)) == {DARK}, visitor.page.url
        assert marked_menus(visitor) == [group for group in [group_of(address)] if group]
    visitor.go_on("/explorer", view="stages", **LARGE)
    assert_whole(visitor)


@pytest.mark.long("every view, dark, in half a window: a page of each group is in every run")
@pytest.mark.parametrize("theme", ["dark"])
@pytest.mark.parametrize("viewport", [(900, 900)], ids=["900 wide"])
def test_every_view_is_whole_and_dark_in_half_a_window(visitor: Visitor) -> None:
    for address, page in PAGES.items():
        for view in page.views:
            visitor.go_on(address, view=view, **(LARGE if address == "explorer" else {}))
            assert_whole(visitor)
            assert set(visitor.page.evaluate(PAPERS)) == {DARK}, visitor.page.url
        assert marked_menus(visitor) == [group for group in [group_of(address)] if group]


@pytest.mark.long("a page of each group with all the room of a lecture hall, and the widest views with less")
def test_pages_are_whole_in_a_whole_window(visitor: Visitor) -> None:
    for address in ONE_OF_EACH:
        visitor.go_on(address)
        assert_whole(visitor)
    visitor.resize(1280, 900)
    for page, view in BESIDE_EACH_OTHER:
        visitor.go_on(page, view=view, heads=8)
        assert visitor.overflowing() == []


def assert_whole(visitor: Visitor) -> None:
    """The page says something without an error, begins at its top, fits the window and can be read by all."""
    main, where = visitor.page.get_by_test_id("stMain"), f"{visitor.page.url} at {visitor.page.viewport_size}"
    assert main.inner_text().strip() != "", where
    assert main.evaluate("(main) => main.scrollTop") == 0, where
    assert visitor.exceptions() == [], where
    assert visitor.overflowing() == [], where
    assert visitor.illegible() == [], where
    assert visitor.inaccessible() == [], where


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


def marked_menus(visitor: Visitor) -> list[str]:
    """The menus that are marked as those of the page one is on."""
    menus: list[str] = visitor.page.get_by_test_id("stTopNavSection").evaluate_all(
        "(menus) => menus.filter((menu) => getComputedStyle(menu).boxShadow.includes('inset'))"
        ".map((menu) => menu.innerText.trim())"
    )
    return menus


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
