"""A room in a lecture: one key leads from a step to its question and back, and a reload loses nothing."""

import re

import pytest
from playwright.sync_api import Browser, Frame, Locator, Page, expect

from pages.lecture.deck import Deck, packed
from pages.lecture.step import LectureStep
from tests.browser.phones import Phone
from tests.browser.test_lecture_player import press, wait_for
from tests.browser.test_room_journey import pages
from tests.browser.test_search_journey import shown
from tests.browser.visitor import LONGEST, Visitor

pytestmark = pytest.mark.parametrize("viewport", [(1280, 720)])

QUESTION = "How much attention goes to a future word?"
DECK = packed(
    Deck(
        "Trial",
        (
            LectureStep(
                *("/masking?view=paint&text=hot+tea+is+good", "A mask"),
                question=QUESTION,
                answer_kind="choice",
                options=("nothing", "a little"),
                right="nothing",
                covered=True,
            ),
            LectureStep(
                "/positions?view=alibi", "Words", question="Which word?", answer_kind="words", covered=True
            ),
            LectureStep("/step-by-step?view=why+three+matrices&matrices=none", "One word", covered=True),
        ),
    )
)
ANSWER = "all of its attention"
BESIDE = "() => attentionLabPlayer.frames.shown.element.getBoundingClientRect().right"


def play(visitor: Visitor, step: int) -> None:
    visitor.page.goto(f"{visitor.server.address}/lecture?deck={DECK}&step={step}")
    wait_for(visitor.page, step)


def room(page: Page) -> Locator:
    return page.locator(".in_hall_room")


def letters(page: Page) -> str:
    return room(page).locator(".letters").first.inner_text()


def entered(visitor: Visitor, code: str, count: int) -> list[Phone]:
    phones = [Phone(visitor.server.address, code) for _ in range(count)]
    assert [phone.enter() for phone in phones] == [200] * count
    return phones


def picture(step: Frame) -> Locator:
    return step.get_by_text(ANSWER)


@pytest.mark.long("a room in a lecture; rooms are tested without a browser in every run")
def test_one_key_asks_the_steps_own_question_and_a_reload_keeps_the_room(visitor: Visitor) -> None:
    play(visitor, 1)
    page = visitor.page
    press(visitor, "q")
    wall = room(page)
    expect(wall.get_by_text(QUESTION)).to_be_visible()
    expect(wall.get_by_role("listitem")).to_have_text(["A. nothing", "B. a little"])
    expect(wall.locator(".sentence")).to_have_text("“hot tea is good”")
    assert is_over_the_page(page)
    phones = entered(visitor, letters(page), 3)
    assert phones[0].state()["question"]["text"] == QUESTION
    assert phones[0].state()["question"]["sentences"] == ["“hot tea is good”"]
    number = phones[0].state()["round"]
    answers = zip(phones, (0, 0, 1), strict=True)
    assert [phone.answer(given, number) for phone, given in answers] == [200] * 3
    expect(wall.get_by_text("3 have answered")).to_be_visible()
    press(visitor, "q")
    expect(wall).to_be_hidden()
    expect(page.locator(".step:not(.behind) .headline .asked")).to_have_text(QUESTION)
    plate = shown(page).locator(".plate")
    expect(plate.get_by_role("listitem")).to_have_text(["A. nothing", "B. a little"])
    assert plate.locator(".options").evaluate("(one) => getComputedStyle(one).listStyleType") == "none"
    expect(picture(shown(page))).not_to_be_visible()

    page.reload()
    wait_for(page, 1)
    expect(wall.get_by_text("3 have answered")).to_be_visible()
    press(visitor, "r")
    expect(wall.get_by_text("3 answers")).to_be_visible()
    expect(picture(shown(page))).to_be_visible()
    assert phones[2].state()["revealed"], "phones get the solution too"
    assert page.evaluate(BESIDE) < 900, "the result stands beside the picture"
    track, panel = (wall.locator(kind).first.evaluate(WIDTH) for kind in (".track", ".rounds"))
    assert track > 0.7 * panel, "its bars are below the answers, as wide as the panel"
    colours = {
        bar.evaluate("(one) => getComputedStyle(one).borderStyle") for bar in wall.locator(".own").all()
    }
    assert colours == {"none"}, "no answer is framed like a mark in a picture"
    page.reload()
    wait_for(page, 1)
    expect(wall.get_by_text("3 answers")).to_be_visible()
    expect(picture(shown(page))).to_be_visible()
    note = page.locator(".foot .note")
    press(visitor, "Backspace")
    expect(wall).to_be_hidden()
    expect(note).to_have_text("The room is hidden: press Q to bring it back.")
    press(visitor, "q")
    expect(wall.get_by_text("3 answers")).to_be_visible()
    expect(note).to_be_empty()


def is_over_the_page(page: Page) -> bool:
    """Return whether the room hides the page below, so that only one question is visible."""
    found: bool = page.evaluate(
        "() => document.elementFromPoint(innerWidth / 2, 200).className === 'in_hall_room'"
    )
    return found


@pytest.mark.long("two rounds of a step; one round is asked in every run")
def test_a_repeated_question_covers_the_picture_and_both_rounds_are_labelled(visitor: Visitor) -> None:
    play(visitor, 3)
    page, wall = visitor.page, room(visitor.page)
    press(visitor, "q")
    (phone,) = entered(visitor, letters(page), 1)
    asked = phone.state()  # the room of this browser may have been asked before
    assert phone.answer(0, number=asked["round"]) == 200
    press(visitor, "PageDown")  # a remote has no other key
    expect(wall.get_by_text("1 answer")).to_be_visible()
    table = shown(page).locator(".st-key-compared").first
    expect(table).to_be_visible()
    wall.get_by_role("button", name="Ask again").click()
    expect(table).not_to_be_visible()
    expect(wall).to_be_hidden()
    press(visitor, "h")
    step = shown(page)
    step.get_by_role("radio", name="random", exact=True).click()
    step.wait_for_function(
        "() => location.search.includes('random') && isSettled(200)", timeout=1000 * LONGEST
    )
    press(visitor, "h", "q")
    expect(wall.get_by_text("Same question, now with Weights: random")).to_be_visible()
    expect(table).not_to_be_visible()
    assert phone.state()["question"]["text"] == asked["question"]["text"], "of the same word"
    assert phone.answer(1, number=asked["round"] + 1) == 200
    press(visitor, "r")
    expect(wall.get_by_text("Round 1 · Weights: trained · 1 answer")).to_be_visible()
    expect(wall.get_by_text("Round 2 · Weights: random · 1 answer")).to_be_visible()
    expect(wall.get_by_text("no answer counts as right")).to_have_count(0)
    expect(table).to_be_visible()


@pytest.mark.long("a presenter's window and a phone; what is approved is tested without them in every run")
def test_the_presenter_approves_words_before_the_hall_sees_them(visitor: Visitor, browser: Browser) -> None:
    play(visitor, 2)
    page, wall = visitor.page, room(visitor.page)
    press(visitor, "q")
    code = letters(page)
    phones = entered(visitor, code, 2)
    number = phones[0].state()["round"]
    assert [phones[0].answer("Tea", number), phones[1].answer("<b>rude</b>", number)] == [200] * 2
    presenter = visitor.context.new_page()
    presenter.goto(f"{visitor.server.address}/lecture?deck={DECK}&step=2&presenter=1")
    with pages(browser, visitor.server.address, code, 1) as (phone,):
        phone.get_by_role("textbox").fill("tea")
        phone.get_by_role("button", name="Answer").click()
        expect(phone.get_by_text("Received: “tea”")).to_be_visible()
        expect(phone.get_by_text("At most 3 words, 30 characters.")).to_be_visible()
        expect(presenter.get_by_text("The hall sees approved words after the reveal (R).")).to_be_visible()
        presenter.get_by_role("button", name="Reveal (R)").click()
        expect(presenter.get_by_text("Press a word to show it to the hall.")).to_be_visible()
        expect(wall.get_by_text("Not shown: 3 answers.")).to_be_visible()
        presenter.reload()
        presenter.get_by_role("button", name="tea · 2").click()
        expect(wall.get_by_text("Not shown: 1 answer.")).to_be_visible()
        expect(wall.locator(".label")).to_have_text(["tea"])
        ((bar,),) = wall.locator(".round").evaluate_all(WIDTHS)
        assert bar == pytest.approx(wall.locator(".track").first.evaluate(WIDTH) * 2 / 3, abs=3), (
            "two of three"
        )
        expect(phone.get_by_text("Your answer: “tea”.")).to_be_visible()
    presenter.close()


CHOSEN = """(page) => [...page.querySelectorAll(".options button")]
    .map((one) => one.getAttribute("aria-pressed"))"""
WIDTH = "(one) => one.getBoundingClientRect().width"
WIDTHS = """(rounds) => rounds.map((one) => [...one.querySelectorAll(".track > div:not([hidden])")]
    .map((bar) => Math.round(bar.getBoundingClientRect().width)))"""


def change_positions(visitor: Visitor, name: str) -> None:
    """Choose other positions, as a lecturer does between two rounds."""
    press(visitor, "h")
    step = shown(visitor.page)
    before = step.evaluate("location.search")
    step.get_by_role("radiogroup", name="Positions").get_by_role("radio", name=name, exact=True).click()
    changed = "(before) => location.search !== before && isSettled(200)"
    step.wait_for_function(changed, arg=before, timeout=1000 * LONGEST)
    press(visitor, "h")


@pytest.mark.long("two rounds of a prepared answer, with phones in a browser")
def test_the_prepared_answer_is_right_for_the_prepared_switches_alone(
    visitor: Visitor, browser: Browser
) -> None:
    play(visitor, 1)
    page, wall = visitor.page, room(visitor.page)
    press(visitor, "q")
    code = letters(page)
    others = entered(visitor, code, 3)
    number = others[0].state()["round"]
    assert [one.answer(0, number) for one in others] == [200] * 3
    with pages(browser, visitor.server.address, code, 1) as (phone,):
        expect(phone.locator(".sentence")).to_have_text("“hot tea is good”")
        phone.get_by_role("button", name="B. a little").click()
        expect(phone.get_by_text("Received: “B. a little”")).to_be_visible()
        assert phone.locator("body").evaluate(CHOSEN) == ["false", "true"]
        phone.reload()
        expect(phone.get_by_role("button", name="B. a little", pressed=True)).to_be_visible()
        press(visitor, "r")
        expect(phone.get_by_text("The right answer is “A. nothing”.")).to_be_visible()
        expect(wall.get_by_text("3 ✓ right")).to_be_visible()
        wall.get_by_role("button", name="Ask again").click()
        change_positions(visitor, "none")
        page.reload()  # the prepared step is known afterwards too
        wait_for(page, 1)
        press(visitor, "q")
        expect(phone.get_by_text("Same question, now with Positions: none")).to_be_visible()
        phone.get_by_role("button", name="A. nothing").click()
        expect(phone.get_by_text("Received: “A. nothing”")).to_be_visible()
        press(visitor, "r")
        expect(wall.locator(".round").last).to_contain_text("Positions: none · 1 answer")
        before, now = [
            int(one)
            for one in re.findall(r"Round (\d+)", "\n".join(wall.locator(".round").all_inner_texts()))
        ]
        assert now == before + 1, "a room may have asked the question before"
        expect(wall.locator(".round").last.get_by_text("right")).to_have_count(0)
        expect(wall.get_by_text("With these, no answer counts as right.")).to_be_visible()
        expect(phone.get_by_text("Your answer: “A. nothing”.")).to_be_visible()
        first, second = wall.locator(".round").evaluate_all(WIDTHS)
        assert first[0] == pytest.approx(3 * first[1], abs=3)
        track = wall.locator(".round .track").first.evaluate(WIDTH)
        assert sum(first) == pytest.approx(track, abs=4), "a row is full if all have chosen it"
        assert second[0] == pytest.approx(first[1], abs=2), "one answer is as long in both rounds"
        wall.get_by_role("button", name="Ask again").click()
        change_positions(visitor, "sinusoidal")
        press(visitor, "q")
        expect(phone.get_by_text("Same question, now with Positions: sinusoidal")).to_be_visible()
        phone.get_by_role("button", name="A. nothing").click()
        expect(phone.get_by_text("Received: “A. nothing”")).to_be_visible()
        press(visitor, "r")
        expect(wall.get_by_text("1 ✓ right")).to_be_visible()


WRITTEN = "() => document.querySelector('.trouble').textContent"


@pytest.mark.long("a phone in a browser that asks again")
def test_a_phone_says_why_a_word_is_refused_and_why_the_server_sends_no_news(
    visitor: Visitor, browser: Browser
) -> None:
    play(visitor, 2)
    press(visitor, "q")
    with pages(browser, visitor.server.address, letters(visitor.page), 1) as (phone,):
        box = phone.get_by_role("textbox")
        box.fill("one two three four")
        with phone.expect_response("**/answer"):
            phone.get_by_role("button", name="Answer").click()
        expect(phone.get_by_text("expected at most 3 words")).to_be_visible()
        for _ in range(2):
            with phone.expect_response("**/state"):
                pass
        phone.wait_for_timeout(200)
        assert "expected at most 3 words" in phone.evaluate(WRITTEN)
        box.press_sequentially("x")
        assert phone.evaluate(WRITTEN) == ""
        phone.route("**/state", lambda route: route.fulfill(status=503))
        expect(phone.get_by_text("The server is busy: this page tries again by itself.")).to_be_visible()
        phone.route("**/state", lambda route: route.fulfill(status=404))  # three hours later
        expect(phone.get_by_text("This room is closed.")).to_be_visible()


KEEP_BLOBS = """
window.blobs = new Map();
const make = URL.createObjectURL;
URL.createObjectURL = (blob) => {
    const address = make.call(URL, blob);
    blobs.set(address, blob);
    return address;
};"""
"""The policy of the page lets no script fetch a picture by its address."""

IN_HALL = """(words) => {
    const image = document.querySelector(".shown .of_room");
    if (!image || image.hidden || !image.naturalWidth) return false;
    return blobs.get(image.src).text()
        .then((text) => words.every((word) => text.includes(word)));
}"""


@pytest.mark.long("a presenter's window during a room")
def test_the_presenters_window_shows_the_room_as_the_hall_sees_it(visitor: Visitor) -> None:
    play(visitor, 1)
    page = visitor.page
    presenter = visitor.context.new_page()
    presenter.add_init_script(KEEP_BLOBS)
    presenter.goto(f"{visitor.server.address}/lecture?deck={DECK}&step=1&presenter=1")
    picture_shown = presenter.locator(".shown img:not(.of_room)")
    expect(picture_shown).to_be_visible()
    presenter.wait_for_function("() => document.querySelector('.elapsed').textContent >= '0:02'")
    begun = "() => Object.entries(sessionStorage).find(([name]) => name.includes('clock'))[1]"
    before = presenter.evaluate(begun)
    presenter.reload()
    expect(picture_shown).to_be_visible()
    assert presenter.evaluate(begun) == before, "the clock goes on"
    press(visitor, "r", "q")
    code = letters(page)
    presenter.wait_for_function(IN_HALL, arg=[QUESTION, code, "data:image/png"], timeout=1000 * LONGEST)
    expect(picture_shown).to_be_hidden()
    expect(presenter.locator(".shown .headline")).to_be_hidden()
    press(visitor, "r")
    presenter.wait_for_function(IN_HALL, arg=[QUESTION, "Ask again"], timeout=1000 * LONGEST)
    expect(picture_shown).to_be_visible()
    press(visitor, "q")
    expect(presenter.locator(".shown .of_room")).to_be_hidden()
    expect(picture_shown).to_be_visible()
    presenter.close()
