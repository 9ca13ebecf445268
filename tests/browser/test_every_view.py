"""Every view is looked at in a browser once, in one of the windows that there are.

Windows, themes and lectures add up, they do not multiply: each page is seen in half a window and in a hall,
each view in one of them. What every view shows in every theme, and each step of a lecture, is tested without
a browser in `tests/pages`, and its words in the shapes of files in `tests/figures`.
"""

import pytest

from pages import group_of
from pages.contract.link_parameters import parsed
from pages.lecture.deck import shipped
from tests.browser.drawings import DRAWN, assert_fills, boxes, is_plotted, watch
from tests.browser.navigation import marked_menus
from tests.browser.test_frame import ONE_OF_EACH, View
from tests.browser.visitor import Theme, Viewport, Visitor
from tests.browser.whole import LARGE, assert_whole
from tests.views import PAGES

BESIDE_EACH_OTHER: list[View] = [
    *(("explorer", "heads"), ("positions", "alibi"), ("positions", "rotary")),
    *(("generation", "side by side"), ("masking", "mask values"), ("architectures", "encoder or decoder")),
    *(("blocks", "feed-forward"), ("heads", "two things")),
]
"""Views with figures in columns, which have least room where the page is just too wide to stack them."""

SHOWN_MOST: list[View] = [
    *(("interaction-distance", "networks"), ("architectures", "encoder–decoder")),
    *(("translation", "cross-attention"), ("gradients", "distance"), ("order-invariance", "two orders")),
]
"""The views that lecturers show most; two more fill a hall in `test_large`."""


def steps() -> dict[View, dict[str, object]]:
    """Return the views of shipped lectures, with the parameters of the first step of each."""
    found: dict[View, dict[str, object]] = {}
    for deck in shipped().values():
        for address, asked in (parsed(step.link) for step in deck.steps if step.link):
            view = asked.get("view", [next(iter(PAGES[address].views))])[0]
            found.setdefault((address, view), dict(asked))
    return found


STEPS = steps()


def halves() -> tuple[list[View], list[View]]:
    """Return the views in no other list: half of each page's in a hall, those of lectures first, half not."""
    given = {*ONE_OF_EACH, *BESIDE_EACH_OTHER, *SHOWN_MOST}
    hall: list[View] = []
    beside: list[View] = []
    for address, page in PAGES.items():
        views = sorted(
            {(address, view) for view in page.views} - given, key=lambda one: (one not in STEPS, one)
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
    # A drawing for a page may not fit another shape; above the line of the player.
    ((1280, 700), "light", True, HALL),
    ((1920, 1080), "dark", True, SHOWN_MOST[::2]),
    ((853, 480), "light", True, SHOWN_MOST[1::2]),
]


@pytest.fixture(scope="module")
def examined() -> set[str]:
    """The kinds of elements whose accessibility was examined."""
    return set()


@pytest.mark.long("every view: a page of each group is in every run")
@pytest.mark.parametrize(("viewport", "theme", "is_hall", "views"), EVERY_VIEW)
def test_every_view_is_whole(
    visitor: Visitor, theme: Theme, is_hall: bool, views: list[View], examined: set[str]
) -> None:
    watch(visitor)
    # After a view of a real model, a page without the model has a note about it.
    for address, view in sorted(views, key=lambda one: STEPS.get(one, {}).get("model") == ["real"]):
        visitor.page.evaluate("() => window.boxes?.clear()")
        if is_hall:
            assert_shown_in_a_hall(visitor, address, view)
            continue
        visitor.go_on(address, view=view, **(LARGE if address == "explorer" else {}))
        if changing(visitor):
            # Between two pages a sidebar comes or goes; a visitor with a link does not see that.
            visitor.open(address, view=view, **(LARGE if address == "explorer" else {}))
        assert changing(visitor) == {}
        assert_whole(visitor, theme, examined)
        assert marked_menus(visitor) == [group for group in [group_of(address)] if group]


def changing(visitor: Visitor) -> dict[str, list[str]]:
    """Return the figures that have changed their box since they were first drawn, with all their boxes."""
    return {figure: sizes for figure, sizes in boxes(visitor).items() if len(sizes) > 1}


def assert_shown_in_a_hall(visitor: Visitor, address: str, view: str) -> None:
    """Fail if a view, as its step of a lecture if there is one, does not fill the window."""
    step = STEPS.get((address, view))
    visitor.go_on(address, **(step or {"view": view}), large=1)
    assert visitor.exceptions() == []
    assert step is None or visitor.page.locator(DRAWN).count() > 0, visitor.page.url
    if is_plotted(visitor):
        assert_fills(visitor)
