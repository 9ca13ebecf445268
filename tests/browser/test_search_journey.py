"""Search on every page and in a lecture: a button or keys open it; a view opens with the sentence one has."""

import pytest
from playwright.sync_api import Frame, Locator, Page, expect

from pages.lecture.deck import Deck, LectureStep, packed
from tests.browser.visitor import LONGEST, Visitor

DECK = packed(
    Deck(
        "A trial",
        (
            LectureStep("/explorer?text=hot tea", title="One head"),
            LectureStep("/masking?view=paint", title="A mask"),
        ),
    )
)


TYPED_AT_ONCE = """(box) => {
    for (const key of ["Enter", "?"])
        box.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true }));
}"""
"""Enter, and a key of the page that follows at once."""

TOPS = """() => {
    const { style } = document.querySelector("[data-testid=stLayoutWrapper]:has(.st-key-search)");
    return ["", "none"].map((display) => {
        style.display = display;
        return document.querySelector("h1").getBoundingClientRect().top;
    }).concat(style.display = "").slice(0, 2);
}"""
"""The place of the page's question with the search and without it."""


def opener(page: Page | Frame) -> Locator:
    return page.get_by_role("button", name="Search", exact=True)


def rows(page: Page | Frame) -> Locator:
    return page.get_by_role("listbox", name="Views").get_by_role("option")


def chosen(page: Page | Frame) -> Locator:
    return page.locator("[role=option][aria-selected=true]")


@pytest.mark.long("a telephone; the search opens views in every run")
@pytest.mark.parametrize(("viewport", "theme"), [((390, 800), "dark")], ids=["390 wide, dark"])
def test_a_button_leads_to_a_view_with_the_sentence_that_was_typed(visitor: Visitor) -> None:
    visitor.open("/explorer")
    page = visitor.page
    visitor.type("Sentence", "hot tea")
    page.keyboard.press("Enter")
    left = page.url
    opener(page).click()
    page.keyboard.type("mask")  # no key of these is one of the page
    expect(chosen(page)).to_contain_text("Masking · paint")
    assert page.url == left
    assert visitor.overflowing() == []
    assert visitor.inaccessible() == []
    for key, reached in [
        ("ArrowDown", "mask values"),
        ("ArrowDown", "the future"),
        ("ArrowUp", "mask values"),
    ]:
        page.keyboard.press(key)
        expect(chosen(page)).to_contain_text(f"Masking · {reached}")
    page.keyboard.press("Enter")
    expect(rows(page)).to_have_count(0)
    visitor.settle()
    assert page.url == f"{visitor.server.address}/masking?view=mask+values&text=hot+tea"
    expect(page.get_by_label("Sentence", exact=True)).to_have_value("hot tea")
    assert len(visitor.context.pages) == 1
    page.go_back()
    visitor.settle()
    assert page.url == left


def test_it_opens_from_a_box_too_and_the_next_key_is_one_of_the_page_or_of_the_box(visitor: Visitor) -> None:
    visitor.go_on("/explorer", text="hot tea", query=2, key=1)
    page, box = visitor.page, visitor.page.get_by_label("Sentence", exact=True)
    with_search, without = page.evaluate(TOPS)
    assert with_search == without, "it takes no extra line"
    box.focus()
    box.press("End")
    box.press("/")
    expect(box).to_have_value(f"{box.input_value().removesuffix('/')}/")
    visitor.settle()
    left = page.url
    page.keyboard.press("Control+k")
    expect(page.get_by_role("combobox", name="Search the views")).to_be_focused()
    expect(rows(page).first).to_be_visible()
    page.keyboard.type("xylophone")
    expect(page.get_by_text("No view has this among its names")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("combobox", name="Search the views")).not_to_be_visible()
    expect(box).to_be_focused()
    visitor.settle()
    assert page.url == left, "Escape takes nothing else back"

    box.evaluate(TYPED_AT_ONCE)
    expect(page.get_by_role("region", name="Keys")).to_be_visible()
    expect(box).not_to_be_focused()
    page.keyboard.press("Escape")


@pytest.mark.long("a search over a step; the search of a page is in every run")
@pytest.mark.parametrize("viewport", [(1280, 720)])
def test_in_a_lecture_it_opens_over_the_step_and_one_key_leads_back_to_it(visitor: Visitor) -> None:
    page = visitor.page
    page.goto(f"{visitor.server.address}/lecture?deck={DECK}&step=1")
    step = shown(page)
    expect(opener(step)).not_to_be_visible()
    page.keyboard.press("Control+k")
    page.keyboard.type("residual")
    expect(chosen(step)).to_contain_text("Blocks · residual")
    page.keyboard.press("Enter")
    step.wait_for_function("() => location.pathname === '/blocks' && isSettled(200)", timeout=1000 * LONGEST)
    assert "view=residual" in step.url
    assert "text=hot+tea" in step.url
    assert step.locator(".st-key-large_headline").count() == 1
    page.keyboard.press("z")
    step.wait_for_function(
        "() => location.pathname === '/explorer' && isSettled(200)", timeout=1000 * LONGEST
    )

    page.keyboard.press("/")
    expect(chosen(step)).to_be_visible()
    page.keyboard.press("Escape")
    expect(rows(step)).to_have_count(0)
    page.keyboard.press("PageDown")
    page.wait_for_function("() => attentionLabPlayer.frames.shown.at === 2", timeout=1000 * LONGEST)
    assert page.url.endswith("step=2")


@pytest.mark.long("a lecture that is still loading")
def test_a_search_before_the_step_is_there_opens_with_it_and_no_letter_acts(visitor: Visitor) -> None:
    page = visitor.page
    page.goto(f"{visitor.server.address}/lecture?deck={DECK}&step=2")
    page.wait_for_function("() => window.attentionLabPlayer", timeout=1000 * LONGEST)
    page.keyboard.type("/mqa")  # q would open the room
    step = shown(page)
    expect(step.get_by_role("combobox", name="Search the views")).to_have_value("mqa")
    expect(chosen(step)).to_contain_text("Generation · memory")
    expect(page.locator(".in_hall_room")).not_to_be_visible()


def shown(page: Page) -> Frame:
    """Return the page of the step that the hall sees, once it is at rest."""
    page.wait_for_function("() => window.attentionLabPlayer?.frames.shown?.isReady", timeout=1000 * LONGEST)
    element = page.evaluate_handle("attentionLabPlayer.frames.shown.element").as_element()
    assert element is not None
    frame = element.content_frame()
    assert frame is not None
    return frame
