"""A lecture with a presenter's remote in the hand: its keys work at once, on every page and in the player."""

import re
from dataclasses import replace

import pytest
from playwright.sync_api import Frame, Page, Route, expect

from pages.lecture.deck import Deck, LectureStep, packed, shipped, unpacked
from tests.browser.visitor import LONGEST, Visitor

NOTE = "Say first: rows are *queries*."

DECK = packed(
    Deck(
        f"A trial whose title is {'very ' * 25}long: longer than the line below a picture is wide",
        (
            LectureStep("/explorer", title="One head", notes=NOTE),
            LectureStep(
                "/masking?view=paint",
                title="A mask",
                question="Which cells will be empty?",
                covered=True,
            ),
            LectureStep("/blocks?view=pre+and+post", title="Depth"),
        ),
    )
)

LIGHT_DECK = packed(
    replace(unpacked(DECK), steps=(LectureStep("/glossary", title="One head"), *unpacked(DECK).steps[1:]))
)
"""The same with a first page that is quickly there."""

ANSWER = "all of its attention; without"

SEEN = """() => {
    const { contentDocument: page, contentWindow: stage } = attentionLabPlayer.frames.shown.element;
    const isSeen = (one) => one.checkVisibility({ contentVisibilityAuto: true });
    const drawn = page.querySelector("[class*=st-key-large_panels]");
    const notes = [...page.querySelectorAll("[data-testid=stAlert], [data-testid=stException]")];
    return drawn && isSeen(drawn) && {
        notes: notes.filter(isSeen).map((one) => one.innerText),
        below: drawn.getBoundingClientRect().bottom - stage.innerHeight,
    };
}"""
"""Once a picture is in sight: the notes on the step, and how many pixels of it are below the window."""


def press(visitor: Visitor, *keys: str) -> None:
    for key in keys:
        visitor.page.keyboard.press(key)


def play(visitor: Visitor, step: int, deck: str = DECK) -> None:
    """Open the lecture at a step, and wait until it is shown."""
    visitor.page.goto(f"{visitor.server.address}/lecture?deck={deck}&step={step}")
    wait_for(visitor.page, step)


def wait_for(page: Page, step: int) -> None:
    """Wait until the hall sees a step."""
    page.wait_for_function(
        """(at) => window.attentionLabPlayer?.frames.shown?.at === at
            && !document.querySelector('.lecture_player.waiting')""",
        arg=step,
        timeout=1000 * LONGEST,
    )


def wait_until_ready(page: Page, step: int) -> None:
    """Wait until a step is prepared behind the visible one."""
    page.wait_for_function(
        "(at) => attentionLabPlayer.frames.made.get(at)?.isReady", arg=step, timeout=1000 * LONGEST
    )


def frame_of(page: Page, address: str) -> Frame:
    (found,) = [frame for frame in page.frames if f"/{address}?" in frame.url]
    return found


def step_in(page: Page) -> str:
    """Return the step that the address has, as it is spelt there."""
    return page.url.rpartition("&step=")[2]


def is_black(page: Page) -> bool:
    return page.locator(".black_screen").is_visible()


@pytest.mark.long("keys on pages outside of a lecture; those of a lecture are in every run")
@pytest.mark.parametrize("viewport", [(1280, 720)])
def test_the_keys_of_a_remote_work_on_a_page_without_a_click_first(visitor: Visitor) -> None:
    visitor.open("/generation", text="the chef who")
    page = visitor.page

    press(visitor, "PageDown")
    visitor.settle()
    assert "step=2" in page.url
    press(visitor, "Space")
    visitor.settle()
    assert "step=3" in page.url
    press(visitor, "PageUp")
    visitor.settle()
    assert "step=2" in page.url

    for key in (".", "b"):
        press(visitor, key)
        assert is_black(page)
        press(visitor, key)
        assert not is_black(page)
    press(visitor, ".", "Escape")
    assert not is_black(page)
    press(visitor, ".", "PageDown")
    visitor.settle()
    assert not is_black(page)
    assert "step=3" in page.url

    press(visitor, "?")
    keys = page.get_by_role("region", name="Keys")
    expect(keys).to_be_visible()
    expect(keys).to_contain_text("turns the screen black, or back on")
    press(visitor, "Escape")
    expect(keys).not_to_be_visible()

    box = page.get_by_label("Sentence", exact=True)
    box.click()
    box.press_sequentially(" b.r?h")
    visitor.settle()
    assert box.input_value().endswith(" b.r?h")
    assert not is_black(page)


@pytest.mark.long("a page without steps; the keys of a remote are in every run")
@pytest.mark.parametrize("viewport", [(1280, 720)])
def test_where_a_view_has_no_steps_the_keys_scroll_it(visitor: Visitor) -> None:
    visitor.open("/masking", view="paint")
    where = "document.querySelector('.stMain').scrollTop"
    assert visitor.page.evaluate("document.activeElement.tagName") == "BODY"
    for down, up in (("PageDown", "PageUp"), ("Space", "Shift+Space"), ("End", "Home")):
        press(visitor, down)
        visitor.page.wait_for_function(f"() => {where} > 50")
        press(visitor, up)
        visitor.page.wait_for_function(f"() => {where} === 0")

    switch = visitor.page.get_by_role("radio", name="window", exact=True)
    switch.focus()
    press(visitor, "Space")  # the focused element uses the key
    visitor.settle()
    assert "preset=window" in visitor.page.url
    assert visitor.page.evaluate(where) == 0


@pytest.mark.long("covers in a browser; what they lie over is tested without one in every run")
def test_a_covered_view_is_visible_after_the_reveal(visitor: Visitor) -> None:
    visitor.open("/masking", view="paint", cover=1, stop=4)
    page = visitor.page
    answer, asked = page.get_by_text(ANSWER), page.get_by_role("heading", name="Your turn")
    plate = page.get_by_role("region", name="Covered")
    picture = page.locator(".st-key-painted").first
    expect(plate).to_be_visible()
    for hidden in (answer, asked, picture, page.get_by_role("radio", name="window", exact=True)):
        expect(hidden).not_to_be_visible()
    assert ANSWER not in page.locator("body").aria_snapshot()

    press(visitor, "r")
    expect(plate).not_to_be_visible()
    for revealed in (answer, asked, picture):
        expect(revealed).to_be_visible()
    assert "cover=1" in page.url  # the link covers it for the next visitor
    visitor.click(page.get_by_role("radio", name="window", exact=True))
    expect(answer).to_be_visible()

    visitor.click(page.get_by_role("radio", name="mask values", exact=True))
    expect(plate).to_be_visible()
    press(visitor, "PageDown")  # with a remote there is no other key
    expect(plate).not_to_be_visible()

    visitor.open("/masking", view="paint", cover=1, predict="true")  # one key shows it, whatever hides it
    expect(page.get_by_role("region", name="Predict first")).to_be_visible()
    expect(answer).not_to_be_visible()
    press(visitor, "r")
    expect(answer).to_be_visible()
    expect(page.get_by_text("The questions, and the right answers")).to_be_visible()


@pytest.mark.parametrize("viewport", [(1280, 720)])
def test_a_lecture_is_played_with_the_keys_of_a_remote(visitor: Visitor) -> None:
    visitor.open("/glossary")
    play(visitor, 1, LIGHT_DECK)
    page, n_entries = visitor.page, visitor.page.evaluate("history.length")
    expect(page.locator(".foot .where")).to_have_text("1 / 3")
    heading = page.get_by_role("heading", name="One head", exact=True)
    expect(heading).to_be_visible()
    assert float(heading.evaluate("(one) => parseFloat(getComputedStyle(one).fontSize)")) >= 28
    wait_until_ready(page, 2)
    masking = frame_of(page, "masking")
    assert masking.locator(".plate").count() == 0, "the thumbnail of a prepared step is uncovered"

    press(visitor, "PageDown")
    wait_for(page, 2)
    assert step_in(page) == "2"
    expect(page.get_by_role("heading", name="Which cells will be empty?")).to_be_visible()
    expect(page.get_by_role("heading", name="A mask")).not_to_be_visible()
    assert "A mask" not in page.locator(".foot").inner_text(), "a title may be the answer"
    plate = masking.get_by_role("region", name="Covered")
    expect(plate).not_to_contain_text(
        "Zuko"
    )  # the question is not about the sentence that happens to be there
    expect(plate).to_contain_text("small model, trained · artificial English")
    expect(masking.get_by_text(ANSWER)).not_to_be_visible()
    assert ANSWER not in masking.locator("body").aria_snapshot()
    press(visitor, "PageDown")  # the first press shows the covered picture
    expect(masking.get_by_text(ANSWER)).to_be_visible()
    expect(page.get_by_role("heading", name="A mask")).to_be_visible()
    assert step_in(page) == "2"
    press(visitor, "h")  # the controls are folded away
    masking.get_by_role("radio", name="window", exact=True).click()
    masking.wait_for_function("() => isSettled(200)", timeout=1000 * LONGEST)
    press(visitor, "Escape")  # a press too many takes nothing back
    assert "preset=window" in masking.url

    press(visitor, "PageDown")  # the focus is in the page of the step
    wait_for(page, 3)
    end = page.locator(".lecture_player .end")
    press(visitor, "PageDown")
    expect(end).to_contain_text("End")
    press(visitor, "PageDown", "PageUp")  # nothing comes after the end
    expect(end).not_to_be_visible()
    assert step_in(page) == "3"
    blocks = frame_of(page, "blocks")
    press(visitor, "h")
    blocks.get_by_role("radio", name="residual", exact=True).click()  # a step of the history elsewhere
    blocks.wait_for_function("() => location.search.includes('view=residual') && isSettled(200)")
    press(visitor, "PageUp")
    wait_for(page, 2)
    assert "preset=window" in masking.url  # the change is there, and still revealed
    expect(
        masking.get_by_role("radio", name="window", exact=True)
    ).not_to_be_visible()  # the controls are folded
    expect(masking.get_by_text(ANSWER)).to_be_visible()

    press(visitor, ".")
    assert is_black(page)
    assert not masking.locator(".black_screen").is_visible()
    press(visitor, ".")
    assert not is_black(page)

    assert page.evaluate("history.length") == n_entries
    page.go_back()
    page.wait_for_function("() => !window.attentionLabPlayer && location.pathname === '/glossary'")
    assert page.locator("iframe").count() == 0


@pytest.mark.long("keys that jump; the keys of a remote are in every run")
@pytest.mark.parametrize("viewport", [(1280, 720)])
def test_numbers_home_end_and_the_overview_lead_to_a_step(visitor: Visitor) -> None:
    play(visitor, 1)
    page, overview = visitor.page, visitor.page.get_by_role("region", name="All steps")
    press(visitor, "3")
    expect(page.locator(".foot .state")).to_have_text("Go to step 3: Enter")
    press(visitor, "Enter")
    assert step_in(page) == "3"
    press(visitor, "Home")
    assert step_in(page) == "1"
    press(visitor, "End")
    assert step_in(page) == "3"

    press(visitor, "o")
    expect(overview).to_contain_text("2 · Which cells will be empty?")
    assert "A mask" not in overview.inner_text()
    press(visitor, "ArrowLeft", "Enter")
    expect(overview).not_to_be_visible()
    assert step_in(page) == "2"
    press(visitor, "o", "Escape")
    expect(overview).not_to_be_visible()


@pytest.mark.long("the box of a sentence in a lecture; the keys of a remote are in every run")
@pytest.mark.parametrize("viewport", [(1280, 720)])
def test_one_key_opens_the_box_of_the_sentence_and_no_key_of_the_page_ends_up_in_it(visitor: Visitor) -> None:
    play(visitor, 1)
    page = visitor.page
    wait_until_ready(page, 1)
    step = frame_of(page, "explorer")
    bar = step.locator(".st-key-large_bar")
    press(visitor, "t")
    box = step.get_by_label("Sentence", exact=True)
    expect(box).to_be_focused()
    assert bar.evaluate("(one) => one.offsetHeight") < 70, "the picture stays in sight"
    page.keyboard.type("hot tea")
    press(visitor, "Enter")
    expect(bar).not_to_be_visible()
    press(visitor, "h")
    expect(step.get_by_role("radio", name="trained", exact=True)).to_be_visible()
    press(visitor, "Escape")
    expect(bar).not_to_be_visible()
    step.wait_for_function("() => location.search.includes('text=hot+tea')", timeout=1000 * LONGEST)

    press(visitor, "t")
    page.keyboard.type("o")
    press(visitor, "Escape")
    expect(bar).not_to_be_visible()
    expect(page.get_by_role("region", name="All steps")).not_to_be_visible()


@pytest.mark.long("a step that is lost when the page is loaded again, as a remote's F5 does")
@pytest.mark.parametrize("viewport", [(1024, 768)])
def test_a_reload_comes_back_to_the_step_and_a_step_too_far_is_the_last(visitor: Visitor) -> None:
    visitor.forget()
    visitor.page.goto(f"{visitor.server.address}/lecture?deck={DECK}&step=99")
    wait_for(visitor.page, 3)
    expect(visitor.page.locator(".foot")).to_contain_text("This lecture has 3 steps. Showing step 3.")
    visitor.page.reload()
    wait_for(visitor.page, 3)
    expect(visitor.page.locator(".foot")).not_to_contain_text("Showing step 3.")
    widths = "[...document.querySelectorAll('.frames, .foot')].map((one) => one.scrollWidth)"
    assert visitor.page.evaluate(widths) == [1024, 1024], "a long title makes nothing wider than the window"


@pytest.mark.long("a page that is kept waiting for seconds; reveals of prepared steps are in every run")
def test_a_covered_step_whose_page_is_late_is_revealed_once_it_is_there(visitor: Visitor) -> None:
    visitor.forget()
    held: list[Route] = []
    visitor.page.route("**/masking?*", lambda route: held.append(route))
    visitor.page.goto(f"{visitor.server.address}/lecture?deck={DECK}&step=2")
    wait_for(visitor.page, 2)
    press(visitor, "PageDown")
    expect(visitor.page.locator(".foot")).to_contain_text("2 / 3")
    for one in held:
        one.continue_()
    visitor.page.unroute("**/masking?*")
    wait_until_ready(visitor.page, 2)
    expect(visitor.page.locator(".step:not(.behind) .headline")).to_contain_text("A mask")
    expect(visitor.page.locator(".foot")).not_to_contain_text("Changed")
    assert step_in(visitor.page) == "2"
    expect(frame_of(visitor.page, "masking").get_by_text(ANSWER)).to_be_visible()


@pytest.mark.long("a page that comes late; one that is prepared is in every run")
def test_a_press_before_the_question_is_in_sight_neither_skips_nor_reveals_it(visitor: Visitor) -> None:
    visitor.forget()
    page, held = visitor.page, list[Route]()
    page.route("**/masking?*", lambda route: held.append(route))
    play(visitor, 1)
    press(visitor, "PageDown", "PageDown", "r")
    assert step_in(page) == "2"
    assert page.evaluate("attentionLabPlayer.frames.shown.at") == 1, (
        "the page of the question is still loading"
    )
    for one in held:
        one.continue_()
    page.unroute("**/masking?*")
    wait_for(page, 2)
    wait_until_ready(page, 2)
    expect(page.get_by_role("heading", name="Which cells will be empty?")).to_be_visible()
    answer = frame_of(page, "masking").get_by_text(ANSWER)
    expect(answer).not_to_be_visible()
    press(visitor, "PageDown")
    expect(answer).to_be_visible()
    assert step_in(page) == "2"


@pytest.mark.long("two windows of one lecture; what each of them shows is tested alone in every run")
def test_the_presenters_window_follows_and_leads(visitor: Visitor) -> None:
    visitor.forget()
    first, mask, last = unpacked(DECK).steps
    mask = replace(mask, answer_kind="number", right="55")
    play(visitor, 1, packed(replace(unpacked(DECK), steps=(first, mask, last))))
    hall = visitor.page
    assert NOTE not in hall.content()
    with visitor.context.expect_page() as opened:
        press(visitor, "s")
    presenter = opened.value
    notes = presenter.get_by_role("region", name="Notes")
    expect(notes).to_have_text(NOTE.replace("*", ""))
    expect(notes.locator("em")).to_have_text("queries")
    said = {"code": "BCDF", "count": 3, "isRevealed": False}
    hall.evaluate("(said) => new BroadcastChannel('attention-lab-room').postMessage(said)", said)
    expect(presenter.locator("#room")).to_have_text("Room BCDF · 3 have answered")
    expect(presenter.locator(".where")).to_have_text("1 / 3 · One head")
    expect(presenter.get_by_text("Next: A mask")).to_be_visible()

    presenter.keyboard.press("PageDown")
    wait_for(hall, 2)
    expect(presenter.locator(".where")).to_have_text("2 / 3 · A mask")
    expect(presenter.locator(".state")).to_have_text("Covered")
    expect(presenter.get_by_text("Which cells will be empty?").first).to_be_visible()
    presenter.get_by_role("button", name="Reveal").click()
    expect(frame_of(hall, "masking").get_by_text(ANSWER)).to_be_visible()
    expect(presenter.locator(".state")).to_have_text("")
    shown = presenter.get_by_role("img", name=ANSWER)
    expect(shown).to_be_visible()
    expect(shown).to_have_attribute("src", re.compile("^blob:"))
    presenter.keyboard.press("?")
    presenter.keyboard.press("Escape")
    expect(presenter.get_by_role("region", name="Keys")).not_to_be_visible()

    right = presenter.get_by_text("Right: 55")
    expect(right).to_be_visible()
    press(visitor, "h")
    frame_of(hall, "masking").get_by_role("radio", name="window", exact=True).click()
    expect(presenter.locator(".state")).to_have_text("Changed")
    expect(right).to_have_count(0)

    presenter.keyboard.press("b")
    hall.locator(".black_screen").wait_for(state="visible")
    assert not is_black(presenter)
    expect(presenter.locator(".state")).to_have_text("Changed · Black")

    hall.bring_to_front()
    press(visitor, "PageDown")
    wait_for(hall, 3)
    expect(presenter.locator(".where")).to_have_text("3 / 3 · Depth")
    expect(presenter.get_by_text("End of the lecture")).to_be_visible()
    assert presenter.url.endswith("step=3&presenter=1")
    presenter.close()


READY, FIRST = "seq2seq", 16
"""A shipped lecture, and the first of its last steps; five of these are covered."""


@pytest.mark.long("the end of a lecture that is ready; what every step shows is looked at without the player")
@pytest.mark.parametrize(("viewport", "theme"), [((1920, 1080), "dark")])
def test_a_lecture_that_is_ready_is_given_with_a_remote_alone(visitor: Visitor) -> None:
    page, steps = visitor.page, shipped()[READY].steps
    visitor.forget()
    page.goto(f"{visitor.server.address}/lecture?deck={READY}&step={FIRST}")
    for at, step in enumerate(steps[FIRST - 1 :], start=FIRST):
        wait_for(page, at)
        wait_until_ready(page, at)
        if step.covered:
            press(visitor, "PageDown")
        if not step.link:  # a slide, such as the end
            continue
        seen = page.wait_for_function(SEEN, timeout=1000 * LONGEST).json_value()
        assert seen["notes"] == [], step.link
        assert seen["below"] <= 1, step.link
        press(visitor, "PageDown")
    assert step_in(page) == f"{len(steps)}"
    press(visitor, "PageDown")
    assert steps[-1].kind == "end"
    expect(page.locator(".lecture_player .end")).to_be_hidden()  # the slide says it

    page.evaluate("for (const at of [9, 8, 7, 6, 5]) attentionLabPlayer.go(at)")
    made = page.evaluate("[...attentionLabPlayer.frames.made.keys()].toSorted((a, b) => a - b)")
    assert made == [5, 6, len(steps)], "skipped steps are not waited for"
    wait_for(page, 5)
