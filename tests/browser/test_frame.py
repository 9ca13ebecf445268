"""Every page can be reached and looks whole: in both themes, on a projector and in half a window."""

import tomllib

import pytest
from playwright.sync_api import Browser, expect

from pages import GROUPS
from tests.browser.server import ROOT, serving
from tests.browser.visitor import Visitor
from viz.theme import THEMES, Theme

ADDRESSES = [entry.address for entries in GROUPS.values() for entry in entries]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [(1400, 900), (900, 900)], ids=["1400 wide", "900 wide"])
@pytest.mark.parametrize("address", ADDRESSES)
def test_a_page_opens_whole(visitor: Visitor, address: str) -> None:
    visitor.open(address)

    assert visitor.page.get_by_test_id("stMain").inner_text().strip() != ""
    assert visitor.exceptions() == []
    assert visitor.overflowing() == []
    visitor.check()


def test_a_figure_takes_the_room_that_the_window_has(visitor: Visitor) -> None:
    visitor.open("/masking")
    plot = visitor.page.locator(".st-key-painted .js-plotly-plot")
    drawn = []
    for width in (1400, 900, 800):
        visitor.resize(width, 900)
        assert visitor.overflowing() == []
        drawn.append(plot.bounding_box()["width"])
    wide, half, narrow = drawn
    assert narrow < half < wide

    visitor.resize(1400, 900)
    expect(plot).to_have_css("width", f"{wide:g}px")


def test_the_navigation_leads_to_every_page(visitor: Visitor) -> None:
    visitor.open("/")
    for group, entries in GROUPS.items():
        for entry in entries:
            visitor.click(visitor.page.get_by_test_id("stTopNavSection").filter(has_text=group))
            visitor.click(visitor.page.get_by_test_id("stTopNavDropdownLink").filter(has_text=entry.title))
            assert visitor.page.url.split("?")[0] == f"{visitor.server.address}/{entry.address}"
            assert visitor.exceptions() == []


@pytest.mark.parametrize("figures", THEMES.values(), ids=THEMES)
def test_the_frame_wears_the_colours_of_the_figures(figures: Theme) -> None:
    frame = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))["theme"][figures.name]
    roles = {"backgroundColor": "paper", "textColor": "ink", "borderColor": "line", "primaryColor": "primary"}
    assert {name: frame[name] for name in roles} == {name: getattr(figures, roles[name]) for name in roles}


@pytest.mark.parametrize(("theme", "paper"), [("light", "rgb(255, 255, 255)"), ("dark", "rgb(15, 20, 25)")])
def test_the_visitor_gets_the_theme_of_their_system(visitor: Visitor, paper: str) -> None:
    visitor.open("/")

    app = visitor.page.get_by_test_id("stApp")
    assert app.evaluate("(element) => getComputedStyle(element).backgroundColor") == paper


def test_nothing_is_scrolled_away_before_the_visitor_has_moved(visitor: Visitor) -> None:
    visitor.open("/")

    assert visitor.page.get_by_test_id("stMain").evaluate("(main) => main.scrollTop") == 0


def test_the_first_link_opened_after_the_start_finds_its_page(browser: Browser) -> None:
    with serving() as server:
        visitor = Visitor(browser, server, theme="light", viewport=(1400, 900))
        visitor.open(ADDRESSES[-1])

        assert not visitor.page.get_by_role("dialog").is_visible()
        visitor.check()
        visitor.leave()
