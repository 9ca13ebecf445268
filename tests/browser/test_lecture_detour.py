"""Steps of a lecture that are changed, left for another page, or loaded again: nothing prepared is lost."""

import pytest
from playwright.sync_api import Locator, Page, expect

from pages.lecture.deck import Deck, packed
from pages.lecture.step import LectureStep
from pages.masking import PAGE
from tests.browser.test_lecture_player import ANSWER, play, press, wait_for, wait_until_ready
from tests.browser.test_search_journey import shown
from tests.browser.visitor import LONGEST, Visitor

pytestmark = pytest.mark.parametrize("viewport", [(1280, 720)])

REST = "isSettled(200)"


FOUND = "() => attentionLabEntries.go(new URL('masking?view=paint&large=true', location.href))"
OWN = "A mask leaves nothing to a *later* word."
PREPARED = packed(
    Deck(
        "Trial",
        (
            LectureStep(
                *("/masking?view=paint&text=hot+tea+is+good", "A mask"),
                sentence=OWN,
                question="“Hot tea is good”: how much attention goes to a later word?",
                options=("nothing", "a little"),
                answer_kind="choice",
                right="nothing",
                covered=True,
            ),
            LectureStep(
                *("/masking?view=paint&text=hot+tea+is+good", "Another"),
                sentence=OWN,
                question="How many words may “tea” attend to?",
                options=("2", "4"),
                answer_kind="choice",
                covered=True,
            ),
        ),
    )
)


@pytest.mark.long("a step that is changed and brought back; steps are played in every run")
def test_a_changed_step_says_the_sentence_of_its_view_until_one_key_brings_it_back(visitor: Visitor) -> None:
    page = visitor.page
    page.goto(f"{visitor.server.address}/lecture?deck={PREPARED}")
    wait_for(page, 1)
    step, headline = shown(page), page.locator(".step:not(.behind) .headline")
    title, sentence, right = (headline.locator(kind) for kind in (".title", ".sentence", ".right"))
    state = page.locator(".foot .state")
    plate = step.get_by_role("region", name="Covered")
    expect(plate.get_by_role("listitem")).to_have_text(["A. nothing", "B. a little"])
    assert plate.locator("li").first.evaluate("(one) => parseFloat(getComputedStyle(one).fontSize)") >= 28
    expect(plate.locator(".frame")).to_be_empty()  # the question quotes the sentence, and needs no switches
    expect(right).not_to_be_visible()

    press(visitor, "r")
    expect(right).to_have_text("Right: A. nothing")
    expect(right).to_be_visible()
    expect(title).to_have_text("A mask")
    expect(sentence).to_have_text(OWN.replace("*", ""))
    expect(state).to_be_empty()
    press(visitor, "h")
    step.get_by_role("radio", name="window", exact=True).click()
    expect(state).to_have_text("Changed · Backspace restores the prepared step")
    expect(sentence).to_contain_text(ANSWER)
    expect(title).to_have_text(PAGE.question)  # the title may be false here
    expect(right).not_to_be_visible()
    page.reload()
    wait_for(page, 1)
    expect(sentence).to_contain_text(ANSWER)

    press(visitor, "Backspace")
    wait_for(page, 1)
    expect(title).to_have_text("A mask")
    expect(sentence).to_have_text(OWN.replace("*", ""))
    expect(state).to_be_empty()
    expect(right).to_be_visible()  # it stays revealed
    wait_until_ready(page, 1)
    press(visitor, "PageDown")
    wait_for(page, 2)
    other = shown(page).get_by_role("region", name="Covered").locator(".frame")
    expect(other).to_have_text("“hot tea is good”")  # it names a word of it
    shown(page).evaluate(FOUND)
    expect(title).to_have_text(PAGE.question)
    expect(title).to_be_visible()  # the search brings the view without its cover, and with its sentence
    expect(sentence).to_be_empty()
    press(visitor, "Backspace")
    wait_for(page, 2)
    expect(shown(page).get_by_role("region", name="Covered")).to_be_visible()
    expect(title).not_to_be_visible()
    expect(right).not_to_be_visible()


@pytest.mark.long("a lecture with a detour; the search leads away from a step and back in every run")
def test_one_key_brings_a_step_back_after_changes_and_a_detour_through_the_menus(visitor: Visitor) -> None:
    play(visitor, 1)
    page, step = visitor.page, shown(visitor.page)
    prepared = step.url
    press(visitor, "h")
    step.get_by_role("radio", name="random", exact=True).click()
    step.wait_for_function(
        f"() => location.search.includes('model=random') && {REST}", timeout=1000 * LONGEST
    )
    press(visitor, "z")
    step.wait_for_function(
        f"() => !location.search.includes('model=random') && {REST}", timeout=1000 * LONGEST
    )
    assert step.url == prepared, "undo acts on the page in the frame"
    step.get_by_role("radio", name="random", exact=True).click()
    step.wait_for_function(
        f"() => location.search.includes('model=random') && {REST}", timeout=1000 * LONGEST
    )
    step.get_by_test_id("stTopNavSection").filter(has_text="Mechanism").click()
    step.get_by_test_id("stTopNavDropdownLink").filter(has_text="Scaling").click()
    step.wait_for_function(f"() => location.pathname === '/scaling' && {REST}", timeout=1000 * LONGEST)
    assert page.url.endswith("step=1")

    press(visitor, "Backspace")
    wait_for(page, 1)
    assert shown(page).url == prepared
    trained = shown(page).get_by_role("radio", name="trained", exact=True, include_hidden=True)
    expect(trained).to_be_checked()
    press(visitor, "PageDown")
    wait_for(page, 2)
    press(visitor, "PageUp")
    wait_for(page, 1)
    assert shown(page).url == prepared, "and so it stays"


@pytest.mark.long("a step of a lecture that is loaded again; a page that is covered is so in every run")
def test_the_keys_that_start_a_show_lose_nothing_and_a_reload_keeps_what_was_revealed_and_typed(
    visitor: Visitor,
) -> None:
    play(visitor, 2)
    page, step = visitor.page, shown(visitor.page)
    press(visitor, "r")
    expect(step.get_by_text(ANSWER)).to_be_visible()
    press(visitor, "h")
    box = step.get_by_label("Sentence", exact=True)
    box.fill("hot tea")
    box.press("Enter")
    step.wait_for_function(
        f"() => location.search.includes('text=hot+tea') && {REST}", timeout=1000 * LONGEST
    )
    for one in (page.locator("body"), step.locator("body"), box):
        assert not is_left_to_the_browser(one, "F5")
        assert not is_left_to_the_browser(one, "F5", shiftKey=True)
    assert page.url.endswith("step=2")

    page.reload()
    assert revealed_and_typed(page) == (True, "hot tea")


def revealed_and_typed(page: Page) -> tuple[bool, str]:
    wait_for(page, 2)
    step = shown(page)
    return step.get_by_text(ANSWER).is_visible(), step.locator(".st-key-text input").input_value()


@pytest.mark.long("the key F5; lectures are played with keys in every run")
def test_on_the_page_of_lectures_the_key_that_starts_a_show_gives_the_collected_one(visitor: Visitor) -> None:
    visitor.open("/masking", view="paint")
    page = visitor.page
    page.locator(".st-key-collect button").click()
    expect(page.locator(".st-key-collect [role=status]")).to_contain_text("Added: step 1")
    visitor.go_on("/lecture")
    page.get_by_label("Title of the lecture").fill("Mine")
    press(visitor, "F5")
    wait_for(page, 1)
    expect(page.locator(".foot")).to_contain_text("1 / 1")

    visitor.forget()
    visitor.open("/lecture")
    assert is_left_to_the_browser(page.locator("body"), "F5"), "no lecture is collected"
    visitor.go_on("/masking")
    assert is_left_to_the_browser(page.locator("body"), "F5")


def is_left_to_the_browser(one: Locator, key: str, **held: bool) -> bool:
    """Press a key on an element; return whether the page leaves it to the browser."""
    found: bool = one.evaluate(
        """(one, pressed) => one.dispatchEvent(
            new KeyboardEvent("keydown", { ...pressed, cancelable: true, bubbles: true, composed: true }))""",
        {"key": key, **held},
    )
    return found
