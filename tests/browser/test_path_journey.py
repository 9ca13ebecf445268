"""A learner walks the path: looks, answers a question about a change, goes on, and keeps the progress."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, expect

from pages.contract.question import Choose
from pages.contract.static_questions import PATH_QUESTIONS
from pages.path.stops import STOPS, path_at, path_to
from tests.browser.visitor import Viewport, Visitor


def is_done(visitor: Visitor, stop: int) -> bool:
    """Return whether the tile of a stop has its mark."""
    mark: str = (
        visitor.page.locator(".tiles.stops li")
        .nth(stop - 1)
        .evaluate("(tile) => getComputedStyle(tile.querySelector('strong'), '::after').content")
    )
    return "✓" in mark


def is_at(visitor: Visitor, stop: int) -> bool:
    """Return whether the first view of a stop is open; a default does not stand in its address."""
    now, link = urlsplit(visitor.page.url), STOPS[stop - 1].views[0].link
    asked = {name: values[0] for name, values in parse_qs(now.query).items()}
    view = asked.get("view", link.view)
    return (now.path, view, asked["stop"]) == (f"/{link.address}", link.view, str(stop))


@pytest.mark.long("a learner on the way through the app; each stop is tested without a browser")
def test_the_path_leads_on_and_by_the_map_and_what_is_done_travels_in_an_address(visitor: Visitor) -> None:
    page = visitor.page
    visitor.open("/")
    assert not any(is_done(visitor, stop) for stop in range(1, 13))
    visitor.click(page.locator(".tiles.stops a").nth(3))
    assert is_at(visitor, 4)
    above = page.locator(".path").first
    expect(above.get_by_text("Stop 4 of 12")).to_be_visible()
    expect(page.locator(".path.end .lit")).to_have_text(["mask"])
    visitor.click(page.locator(".path a.next").first)
    assert is_at(visitor, 5)
    visitor.click(page.locator(".path .map a", has_text="scores"))
    assert is_at(visitor, 2)
    visitor.click(page.get_by_role("link", name="Home"))
    assert not any(is_done(visitor, stop) for stop in range(1, 13)), "nothing was answered"

    page.evaluate("localStorage.setItem('attention-lab-stops', '[4]')")
    page.get_by_role("link", name="Open a link that holds it").click()
    page.wait_for_url("**/?done=4")
    visitor.settle()
    expect(page.get_by_text("This address says that stop 4 is done")).to_be_visible()
    visitor.open("/", done="2.12")
    assert [stop for stop in range(1, 13) if is_done(visitor, stop)] == [2, 4, 12]


@pytest.mark.long("a link in a text; a stop is walked through in every run")
def test_a_link_in_the_text_of_a_stop_opens_in_the_same_tab_and_shows_the_way_back(visitor: Visitor) -> None:
    page = visitor.page
    visitor.open("/masking", view="mask values", stop=4)
    tabs = len(page.context.pages)
    visitor.click(page.locator(".stMarkdown a[href*='/glossary?term=']").first)
    assert page.url.startswith(f"{visitor.server.address}/glossary?")
    assert "stop=4" in page.url
    back = page.get_by_role("link", name="← Back to stop 4: mask values")
    expect(back).to_be_in_viewport()
    visitor.click(back)
    assert "/masking?view=mask+values&stop=4" in page.url
    expect(page.locator(".path").first).to_contain_text("Stop 4 of 12")
    assert len(page.context.pages) == tabs

    visitor.open("/masking", view="mask values")
    visitor.click(page.locator(".stMarkdown a[href*='/glossary?term=']").first)
    assert "stop=" not in page.url
    assert len(page.context.pages) == tabs


TELEPHONE = (390, 844)

STOP = 2
"""A stop with one view, whose questions are choices."""

NAMES = [name for view in STOPS[STOP - 1].views for name in view.asks] + [STOPS[STOP - 1].earlier]


def asked(visitor: Visitor) -> Locator:
    """Return the questions below the picture."""
    return visitor.page.locator(".questions")


def focused(visitor: Visitor) -> Any:
    """Return the class of the focused element among the questions."""
    return asked(visitor).evaluate("(node) => node.getRootNode().activeElement?.className")


def answer(visitor: Visitor, name: str, *, rightly: bool) -> None:
    """Answer the choice on the page by keyboard, and find the reply."""
    one, box = PATH_QUESTIONS[name].asked(), asked(visitor)
    assert isinstance(one, Choose)
    chosen = next(option for option in one.options if option.holds == rightly)
    box.get_by_role("button", name=chosen.text, exact=True).press("Enter")
    assert focused(visitor) == "resolution"
    expect(box).to_contain_text(
        "is right." if rightly else f"The right answer is “{one.options[one.right].text}”."
    )
    for reason in (one.because, chosen.why_not):
        expect(box).to_contain_text(reason)


def headline(visitor: Visitor) -> str:
    """Return the first line in bold: the headline of the view."""
    return visitor.page.locator(".stMain .stMarkdown strong").first.inner_text()


@pytest.mark.parametrize(
    "viewport", [(1280, 720), pytest.param(TELEPHONE, marks=pytest.mark.long("a telephone, and a reload"))]
)
def test_a_stop_shows_first_then_asks_about_a_change_and_leads_on(
    visitor: Visitor, viewport: Viewport
) -> None:
    page, box, remember = visitor.page, asked(visitor), visitor.page.get_by_text("Remember", exact=True)
    visitor.open(path_to(STOP))
    expect(page.locator(".path .says")).to_be_visible()
    expect(page.locator(".js-plotly-plot").first).to_be_visible()
    expect(box.get_by_role("heading", name="Your turn")).to_be_visible()
    expect(remember).to_have_count(0)
    expect(page.get_by_text("Predict first")).to_have_count(0)
    expect(box.get_by_role("button", name="Ask the room")).to_have_count(0)
    assert visitor.overflowing() == []

    for at, name in enumerate(NAMES):
        answer(visitor, name, rightly=at % 2 == 0)
        see = PATH_QUESTIONS[name].see
        if see is not None and at == 0:
            _see_and_come_back(visitor, path_at(see, STOP))
        if at + 1 < len(NAMES):
            expect(remember).to_have_count(0)
            box.get_by_role("button", name="Next question").press("Enter")
            assert focused(visitor) == "", "the first answer"
    expect(remember).to_be_visible()
    assert page.evaluate("localStorage.getItem('attention-lab-stops')") == f"[{STOP}]"
    if viewport == TELEPHONE:  # a reload takes seconds
        page.reload()
        visitor.settle()
        expect(remember).to_be_visible()
    box.get_by_role("button", name="All answers").click()
    for name in NAMES:
        expect(box).to_contain_text(PATH_QUESTIONS[name].because)
    box.get_by_role("button", name="Ask me again").click()
    expect(remember).to_have_count(0)
    box.get_by_role("button", name="Show it now").press("Enter")
    expect(remember).to_be_visible()
    assert focused(visitor) == ""
    assert visitor.inaccessible() == []
    visitor.click(page.locator(".path.end a.next"))
    expect(page.get_by_text(f"Stop {STOP + 1} of 12")).to_be_visible()


def _see_and_come_back(visitor: Visitor, path: str) -> None:
    """Follow the link to a change: the picture changes, the stop stays, and Back returns."""
    page, before, was = visitor.page, visitor.page.url, headline(visitor)
    visitor.click(asked(visitor).get_by_role("link", name="See it"))
    assert page.url.endswith(path) or f"stop={STOP}" in page.url != before
    assert headline(visitor) != was
    expect(page.locator(".st-key-page_question")).to_be_in_viewport()
    expect(page.get_by_text(f"Stop {STOP} of 12")).to_have_count(1)
    page.go_back()
    visitor.settle()
    assert (page.url, headline(visitor)) == (before, was)
