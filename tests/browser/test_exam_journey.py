"""A reader takes the exam, reads again after wrong answers, and keeps, prints and passes on the result."""

import json
import re

import pytest
from playwright.sync_api import Locator, expect

from pages.contract.question import Arrange, Choose, Estimate, Question, Sketch
from pages.contract.static_questions import EXAM
from pages.exam.sitting import ASKED, number_of
from tests.browser.visitor import Visitor

MISSED = {"c": "self-attention, because", "i": "0.73"}
"""Answers that are wrong on purpose.

The drawing of *d* and the order of *m* are wrong too, and *k* is not known. All others are right.
"""

TEXTS = {re.sub(r"\*", "", one.text): name for name, one in EXAM.items()}


def box(visitor: Visitor) -> Locator:
    return visitor.page.get_by_role("region", name="Exam")


def answer(visitor: Visitor, name: str, question: Question) -> None:
    """Answer the question in the box."""
    asked = box(visitor)
    if name == "k":
        asked.get_by_role("button", name="I do not know").click()
        return
    match question:
        case Choose():
            said = re.sub(r"\*", "", question.options[question.right].text)
            asked.get_by_role("button", name=MISSED.get(name, said)).press("Enter")
            return
        case Estimate():
            asked.get_by_role("spinbutton").fill(MISSED.get(name, f"{question.right:g}"))
        case Arrange():
            for at in reversed(question.right):
                asked.get_by_role("button", name=question.items[at]).click()
        case Sketch():
            asked.get_by_role("slider").last.press("ArrowRight")
    asked.get_by_role("button", name="Answer", exact=True).click()


def asked_now(visitor: Visitor) -> str:
    """Return the letter of the question in the box."""
    return TEXTS[box(visitor).locator(".question").inner_text()]


@pytest.mark.long("a whole exam; its answers and links are tested without a browser")
def test_an_exam_is_taken_read_again_kept_printed_and_handed_on(visitor: Visitor) -> None:
    page = visitor.page
    visitor.open("/exam")
    assert visitor.overflowing() == []
    assert visitor.inaccessible() == []
    order = []
    for at in range(1, 15):
        expect(box(visitor)).to_contain_text(f"{at} of 14")
        order.append(name := asked_now(visitor))
        if at == 5:
            page.reload()  # the answers so far are still there
            visitor.settle()
            assert asked_now(visitor) == name
        answer(visitor, name, EXAM[name].asked())
        assert "right" not in box(visitor).inner_text().lower(), "no reply before the end"
    assert sorted(order) == list(EXAM)
    assert order != list(EXAM), "1 of 87 billion orders is the one of the data"
    box(visitor).get_by_role("button", name="← Back").press("Enter")
    expect(box(visitor)).to_contain_text("You answered: ")
    expect(box(visitor).locator(".question")).to_be_focused()
    box(visitor).get_by_role("button", name="Keep it").click()
    box(visitor).get_by_role("button", name="See the result").click()

    score = page.get_by_text("9 of 14 right", exact=True)
    expect(score.first).to_be_visible()
    missed = page.locator(".missed")
    expect(missed).to_have_count(5)
    told = {
        "c": "More work is not more serial operations.",
        "d": "A hidden word gets nothing, however large its score was.",
        "i": "These scores, 1 and 0, are not divided by √2 yet.",
        "k": "The encoder of a translator predicts nothing",
        "m": "The right order is greedy decoding, temperature 0.5, temperature 1, temperature 2.",
    }
    for nth, name in enumerate(sorted(told, key=order.index)):
        expect(missed.nth(nth)).to_contain_text(told[name])
        expect(missed.nth(nth).locator(".question")).to_have_text(re.compile(rf"^{order.index(name) + 1}\. "))
    assert visitor.overflowing() == []
    assert visitor.inaccessible() == []

    paper = page.pdf(format="A4")
    assert 1 <= len(re.findall(rb"/Type\s*/Page\b", paper)) <= 2
    page.emulate_media(media="print")
    expect(page.locator("#exam_on_paper h1")).to_have_text("Attention Lab · Exam: 9 of 14 right")
    expect(page.get_by_test_id("stApp")).not_to_be_visible()
    page.emulate_media(media="screen")

    page.evaluate("window.stillHere = true")
    visitor.click(missed.get_by_role("link", name="Read again: Stop 9 · networks"))
    assert "/interaction-distance?" in page.url
    assert "stop=9" in page.url
    expect(page.get_by_text("Stop 9 of 12")).to_be_visible()
    assert page.evaluate("window.stillHere"), "in the same tab, without reloading the app"
    assert page.locator("#exam_on_paper").count() == 0, "another page is printed as it is"
    visitor.click(page.get_by_role("link", name="Home"))
    tile = page.locator('.tiles a[href="/exam"] strong')
    assert "9 of 14 right" in tile.evaluate("(node) => getComputedStyle(node, '::after').content")

    visitor.click(tile)
    expect(score.first).to_be_visible()
    page.get_by_role("button", name="Keep it as a link").click()
    page.wait_for_url(f"**/exam?answers={number_of(ASKED)}_*")
    visitor.settle()
    expect(page.get_by_text("The address of this page holds the result of an exam.")).to_be_visible()
    link = page.url

    page.evaluate("localStorage.clear()")
    page.goto(link)
    visitor.settle()
    expect(score.first).to_be_visible()
    expect(missed).to_have_count(5)
    page.get_by_role("button", name="Go to the exam of this browser").click()
    visitor.settle()
    expect(box(visitor)).to_contain_text("1 of 14")
    assert "answers" not in page.url


IMPOSSIBLE = {"order": [*range(14)], "answers": [99, *[None] * 13], "at": 0, "isOver": False}
SPOILT = ("{", "null", '"<b>"', "[]", "{}", json.dumps({**IMPOSSIBLE, "number": number_of(ASKED)}))
"""Other values in place of an exam, among them an answer that is not an answer to its question."""


@pytest.mark.long("spoilt values in the store of a browser")
def test_an_exam_begins_with_any_stored_value(visitor: Visitor) -> None:
    visitor.go_on("/exam")
    for kept in SPOILT:
        visitor.page.evaluate(f"localStorage.setItem('attention-lab-exam', {json.dumps(kept)})")
        visitor.page.reload()
        visitor.settle()
        expect(box(visitor)).to_contain_text("1 of 14")
