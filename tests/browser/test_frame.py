"""The frame of all pages: it is whole in half a window, and its navigation leads to every page."""

from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import Page, expect

from figures.provenance import version
from pages import GROUPS, group_of
from pages.contract.examples import OVEN
from tests.browser.drawings import watch
from tests.browser.navigation import marked_menus
from tests.browser.visitor import Theme, Visitor
from tests.browser.whole import LARGE, STRAY, assert_whole
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


def test_a_page_knows_where_its_server_is_and_the_navigation_leads_to_every_page(visitor: Visitor) -> None:
    requests: list[str] = []
    visitor.page.on("request", lambda request: requests.append(request.url))
    visitor.open("/masking", view="paint")
    found = [address for address in requests if "/_stcore/" in address]
    # Streamlit would ask below the address of the page first, and wait a tenth of a second after that.
    assert sorted(found) == [f"{visitor.server.address}/_stcore/{name}" for name in ("health", "host-config")]
    links = visitor.page.get_by_test_id("stTopNavDropdownLink")
    for group, entries in list(GROUPS.items())[1:]:  # the first has no menu, its pages stand in the bar
        visitor.page.get_by_test_id("stTopNavSection").filter(has_text=group).click()
        expect(links).to_have_text([entry.title for entry in entries])
        addresses = [f"{visitor.server.address}/{entry.address}" for entry in entries]
        assert links.evaluate_all("(all) => all.map((one) => one.href.split('?')[0])") == addresses

    visitor.click(links.last)
    assert visitor.page.url.split("?")[0] == addresses[-1]
    assert marked_menus(visitor) == [group]
    visitor.page.get_by_test_id("stMainMenu").get_by_role("button").click()
    visitor.page.get_by_text("About", exact=True).click()
    expect(visitor.page.get_by_role("dialog")).to_contain_text(f"Attention Lab {version()}.")
    visitor.page.keyboard.press("Escape")
    expect(visitor.page.get_by_role("dialog")).to_have_count(0)
    assert visitor.exceptions() == []


@pytest.mark.long("a frame of another site; the address of a link is tested in every run")
def test_links_of_an_embedded_page_lead_to_embedded_pages(visitor: Visitor) -> None:
    page = visitor.page
    visitor.open("/", embed="true")
    visitor.click(page.locator(".tiles.stops a").nth(3))
    assert asked(page) == (
        "/masking",
        {"view": "the future", "text": OVEN, "stop": "4", "embed": "true"},
    )
    expect(page.get_by_test_id("stTopNav")).to_be_hidden()
    expect(page.locator(".collect")).to_have_count(0)

    visitor.go_on("/masking", embed="true")
    link = page.locator(".stMarkdown a[href*='/glossary?term=']").first
    with page.context.expect_page() as opened:
        link.click(modifiers=["ControlOrMeta"])
    opened.value.wait_for_url("**/glossary?*")  # a new tab is blank at first
    assert asked(opened.value)[1]["embed"] == "true", "another tab has no menus either"
    opened.value.close()
    visitor.click(link)
    assert asked(page)[0] == "/glossary"
    assert asked(page)[1]["embed"] == "true"

    page.keyboard.press("/")
    page.keyboard.type("residual")
    expect(page.get_by_role("option", selected=True)).to_contain_text("Blocks · residual")
    page.keyboard.press("Enter")
    visitor.settle()
    assert asked(page) == ("/blocks", {"view": "residual", "embed": "true"})
    expect(page.get_by_test_id("stTopNav")).to_be_hidden()

    visitor.open("/", embed="true")
    page.evaluate("localStorage.setItem('attention-lab-stops', '[4]')")
    page.get_by_role("link", name="Open a link that holds it").click()
    page.wait_for_url("**/?done=4&embed=true")

    visitor.open("/")
    visitor.click(page.locator(".tiles.stops a").nth(3))
    assert asked(page) == ("/masking", {"view": "the future", "text": OVEN, "stop": "4"})


@pytest.mark.long("a page in a frame; addresses are tested without a browser in every run")
def test_a_path_that_would_name_another_site_keeps_its_address_in_an_embedded_page(
    visitor: Visitor,
) -> None:
    visitor.open("/", embed="true")
    link = visitor.page.evaluate("""() => {
        const link = document.createElement("a");
        link.href = `${location.origin}//elsewhere.example/x`;
        link.addEventListener("click", (event) => event.preventDefault());
        document.body.append(link);
        link.click();
        return link.href;
    }""")
    assert link == f"{visitor.server.address}//elsewhere.example/x"


@pytest.mark.long("heights of several pages")
def test_nothing_scrolls_by_less_than_a_line(visitor: Visitor) -> None:
    page = visitor.page
    visitor.open("/models")
    assert page.evaluate(STRAY) == []
    visitor.open("/explorer")
    assert page.evaluate(STRAY) == []
    page.get_by_role("button", name="Known words").click()
    expect(page.get_by_text("words of a small artificial English")).to_be_visible()
    assert page.evaluate(STRAY) == []


def asked(page: Page) -> tuple[str, dict[str, str]]:
    """Return the path of a page's address and its parameters."""
    parts = urlsplit(page.url)
    return parts.path, dict(parse_qsl(parts.query))


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
