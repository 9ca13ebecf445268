"""A figure is drawn once, at the size of its place in the window, and the target of a link is in sight.

A new visitor has a fresh browser: the server knows the window only from the first page.
"""

import pytest

from pages.contract.examples import CHEF
from pages.path.stops import STOPS, path_to
from tests.browser.drawings import boxes, watch
from tests.browser.visitor import Visitor

WITH_SIDEBAR, WITHOUT = ("/explorer", "heads"), ("/classification", "flips")
"""A page with figures beside switches and in columns, and a page that has the whole window."""

SENTENCE = CHEF
"""The longest sentence offered to lecturers: 13 words, one of them long if it is slanted."""


@pytest.mark.long("figures that are drawn again for the window that a browser has")
@pytest.mark.parametrize(("viewport", "path", "view"), [((1280, 720), *WITH_SIDEBAR), ((390, 720), *WITHOUT)])
def test_a_fresh_browser_gets_every_figure_once(visitor: Visitor, path: str, view: str) -> None:
    watch(visitor)
    visitor.open(path, view=view)
    assert boxes(visitor), "no figure was drawn"
    assert all(len(sizes) == 1 for sizes in boxes(visitor).values()), boxes(visitor)


KEPT = {
    "folded away": {"stSidebarCollapsed-": "true"},
    "wider than can be": {"sidebarWidth": "4001"},
}


@pytest.mark.long("sidebars as few visitors have them")
@pytest.mark.parametrize("kept", KEPT)
@pytest.mark.parametrize("viewport", [(1280, 720)])
def test_a_sidebar_that_the_visitor_has_changed_is_reckoned_with(visitor: Visitor, kept: str) -> None:
    watch(visitor)
    visitor.forget()  # `open` would, as somebody new
    visitor.page.goto(f"{visitor.server.address}/_stcore/health")
    visitor.page.evaluate("(kept) => Object.assign(localStorage, kept)", KEPT[kept])
    visitor.open("/explorer")
    assert KEPT[kept].items() <= visitor.page.evaluate("() => ({ ...localStorage })").items()
    assert all(len(sizes) == 1 for sizes in boxes(visitor).values()), boxes(visitor)


SMALL = (1280, 720)
"""The window of a small laptop, and of many projectors."""

LAST = {
    "cells": "[...document.querySelectorAll('.js-plotly-plot .heatmaplayer')]",
    "verdicts": "[...document.querySelectorAll('.st-key-values .annotation-text')]",
    "words": "[...document.querySelectorAll('.st-key-architecture .annotation-text')]",
    "frame": "[...document.querySelectorAll('.st-key-matrix .shapelayer path')]",
    "title": "[...document.querySelectorAll('.stMain p')].filter((one) => /attends to/.test(one.innerText))",
}
"""Elements of the page that must be in sight; `title` is the title of a calculation."""


IN_SIGHT: list[tuple[tuple[int, int], str, dict[str, object], str]] = [
    (SMALL, "/explorer", {"query": 13, "key": 4, "text": SENTENCE}, "cells frame title"),
    (SMALL, "/masking", {"view": "paint", "text": SENTENCE}, "cells"),
    (SMALL, "/masking", {"view": "mask values"}, "verdicts"),
    (SMALL, "/architectures", {"view": "encoder–decoder"}, "words"),
]


@pytest.mark.long("links of several views")
def test_the_target_of_a_link_is_in_sight(visitor: Visitor) -> None:
    for size, path, parameters, last in IN_SIGHT:
        visitor.page.set_viewport_size({"width": size[0], "height": size[1]})
        visitor.go_on(path, **parameters)
        for name in last.split():
            bottoms = f"() => {LAST[name]}.map((one) => one.getBoundingClientRect().bottom)"
            ends = visitor.page.evaluate(bottoms)
            assert ends, f"there are no {name}"
            assert max(ends) <= 720, f"{name} of {path} at {size} end at {max(ends):.0f}"
        assert visitor.illegible() == []
    visitor.forget()  # the next visitor's window has another size


TELEPHONE = (390, 844)
HEADLINE = ".stMain .stMarkdown strong"
FORMULAS = """(formulas) => formulas.filter((one) => one.scrollWidth > one.clientWidth + 2)
    .map((one) => one.innerText)"""


@pytest.mark.long("the path on a telephone: headlines below the window, figures that have to be scrolled")
@pytest.mark.parametrize("viewport", [TELEPHONE])
def test_on_a_telephone_every_stop_begins_within_the_window_and_shows_all_of_its_figures(
    visitor: Visitor,
) -> None:
    """The last stop has no model to show if none was fetched."""
    found: dict[int, object] = {}
    for number in range(1, len(STOPS)):
        visitor.go_on(path_to(number))
        top = visitor.page.locator(HEADLINE).first.evaluate("(one) => one.getBoundingClientRect().top")
        visitor.click(visitor.page.get_by_role("button", name="Show it now"))
        cut = visitor.page.locator(".katex-display").evaluate_all(FORMULAS)
        wrong = [*visitor.illegible(), *visitor.overflowing(), *cut]
        found |= {number: (top, wrong)} if top > 750 or wrong else {}
    assert not found
