"""Every view is looked at in a browser once, in one of the windows that there are.

Windows, themes and lectures add up, they do not multiply: each page is seen in half a window and in a hall,
each view in one of them. What every view shows in every theme, and each step of a lecture, is tested without
a browser in `tests/pages`, and its words in the shapes of files in `tests/figures`.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from pages import GROUPS, group_of
from pages.contract.answers import parsed
from pages.lecture.deck import shipped
from tests.browser.drawings import DRAWN, assert_fills, boxes, is_plotted
from tests.browser.navigation import marked_menus
from tests.browser.server import Server
from tests.browser.visitor import Theme, Viewport, Visitor, Window
from tests.views import PAGES

View = tuple[str, str]
"""The address of a page, and one of its views."""

ONE_OF_EACH: list[View] = [
    (entries[-1].address, next(iter(PAGES[entries[-1].address].views))) for entries in GROUPS.values()
]
"""A page of each group of the navigation."""

BESIDE_EACH_OTHER: list[View] = [
    *(("explorer", "all heads"), ("positions", "alibi"), ("positions", "rotary")),
    *(("generation", "side by side"), ("masking", "mask values"), ("architectures", "encoder")),
    *(("blocks", "two layers in one"), ("heads", "two things")),
]
"""Views with figures in columns, which have least room where the page is just too wide to stack them."""

SHOWN_MOST: list[View] = [
    *(("interaction-distance", "networks"), ("architectures", "encoder–decoder")),
    *(("translation", "cross-attention"), ("gradients", "distance"), ("order-invariance", "every setting")),
]
"""What lecturers show most; two more fill a hall in `test_lecture_layout`."""

LARGE = {"heads": 8, "layers": 6, "positions": "alibi"}
"""Switches with which the explorer has its largest figures."""

PAPERS = """() => [
    document.querySelector("[data-testid=stApp]"),
    ...document.querySelectorAll(".js-plotly-plot .main-svg:first-of-type"),
].map((paper) => getComputedStyle(paper).backgroundColor)"""
"""What the page and each of its figures are drawn on."""

PAPER = {"light": "rgb(255, 255, 255)", "dark": "rgb(15, 20, 25)"}
"""The paper of the themes, as a browser writes it."""

KINDS = """() => [...new Set([...document.querySelectorAll("[data-testid=stApp] *")].map((one) =>
    [one.tagName, one.dataset.testid, one.getAttribute("role")].join()))]"""
"""The kinds of elements on a page."""


def steps() -> dict[View, dict[str, object]]:
    """The views that shipped lectures show, and what the first step with each of them asks for."""
    found: dict[View, dict[str, object]] = {}
    for deck in shipped().values():
        for address, asked in (parsed(step.link) for step in deck.steps):
            view = asked.get("view", [next(iter(PAGES[address].views))])[0]
            found.setdefault((address, view), dict(asked))
    return found


def halves() -> tuple[list[View], list[View]]:
    """The views that no other list has: of each page half in a hall, those of lectures first, half not."""
    given = {*ONE_OF_EACH, *BESIDE_EACH_OTHER, *SHOWN_MOST}
    in_lectures = steps()
    hall: list[View] = []
    beside: list[View] = []
    for address, page in PAGES.items():
        views = sorted(
            {(address, view) for view in page.views} - given, key=lambda one: (one not in in_lectures, one)
        )
        hall += views[: len(views) // 2]
        beside += views[len(views) // 2 :]
    return hall, beside


HALL, BESIDE = halves()

Case = tuple[Viewport, Theme, bool, list[View]]
"""A window, its theme, whether it is in a hall, and the views in it."""

EVERY_VIEW: list[Case] = [
    ((900, 900), "dark", False, BESIDE),
    ((1280, 900), "light", False, BESIDE_EACH_OTHER),
    # What is drawn for a page may not bear another shape; above the line of the player.
    ((1280, 700), "light", True, HALL),
    ((1920, 1080), "dark", True, SHOWN_MOST[::2]),
    ((853, 480), "light", True, SHOWN_MOST[1::2]),
]


@pytest.fixture
def visitor(
    browser: Browser, app: Server, watched: Window, theme: Theme, viewport: Viewport
) -> Iterator[Visitor]:
    """Somebody whose window notes how large figures are."""
    visitor = Visitor(browser, app, theme=theme, viewport=viewport, window=watched)
    yield visitor
    visitor.leave()
    visitor.check()


@pytest.fixture(scope="module")
def met() -> set[str]:
    """The kinds of elements that were examined with a screen reader's eyes already."""
    return set()


@pytest.mark.parametrize("theme", ["dark"])
@pytest.mark.parametrize("viewport", [(900, 900)], ids=["900 wide"])
def test_a_page_of_each_group_is_whole_in_half_a_window(
    visitor: Visitor, theme: Theme, met: set[str]
) -> None:
    look_at(visitor, ONE_OF_EACH, theme, is_hall=False, met=met)
    visitor.go_on("explorer", view="stages", **LARGE)
    assert_whole(visitor, theme, met)


@pytest.mark.long("every view: a page of each group is in every run")
@pytest.mark.parametrize(("viewport", "theme", "is_hall", "views"), EVERY_VIEW)
def test_every_view_is_whole(
    visitor: Visitor, theme: Theme, is_hall: bool, views: list[View], met: set[str]
) -> None:
    look_at(visitor, views, theme, is_hall=is_hall, met=met)


def look_at(visitor: Visitor, views: list[View], theme: Theme, *, is_hall: bool, met: set[str]) -> None:
    """Open views one after the other, and look at all there is to see."""
    in_lectures = steps()
    # Whoever goes on from a view of a real model is told that another page does not have it.
    for address, view in sorted(views, key=lambda one: in_lectures.get(one, {}).get("model") == ["real"]):
        visitor.page.evaluate("() => window.boxes?.clear()")
        if is_hall:
            visitor.go_on(address, **in_lectures.get((address, view), {"view": view}), lecture=1)
            assert visitor.exceptions() == []
            assert (address, view) not in in_lectures or visitor.page.locator(DRAWN).count() > 0, (
                visitor.page.url
            )
            if is_plotted(visitor):
                assert_fills(visitor)
        else:
            visitor.go_on(address, view=view, **(LARGE if address == "explorer" else {}))
            assert_whole(visitor, theme, met)
            assert marked_menus(visitor) == [group for group in [group_of(address)] if group]


def assert_whole(visitor: Visitor, theme: Theme, met: set[str]) -> None:
    """The page says something without an error, begins at its top, fits the window and can be read by all."""
    main, where = visitor.page.get_by_test_id("stMain"), f"{visitor.page.url} at {visitor.page.viewport_size}"
    assert main.inner_text().strip() != "", where
    assert main.evaluate("(main) => main.scrollTop") == 0, where
    assert visitor.exceptions() == [], where
    assert visitor.overflowing() == [], where
    assert visitor.illegible() == [], where
    assert set(visitor.page.evaluate(PAPERS)) == {PAPER[theme]}, where
    assert all(len(sizes) == 1 for sizes in boxes(visitor).values()), (where, boxes(visitor))
    # What was examined on one page is the same on the next: to examine it takes as long as to draw the page.
    kinds = set(visitor.page.evaluate(KINDS))
    if kinds - met:
        met |= kinds
        assert visitor.inaccessible() == [], where
