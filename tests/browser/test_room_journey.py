"""A hall answers the question of a view: its phones, the projector, and a cheater."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.phones import Phone
from tests.browser.visitor import LONGEST, Visitor

TOLD = Path(__file__).parents[2] / "pages" / "lecture" / "told_of_room.js"
"""The parts of the room in a presenter's window."""

ALIBI = {"predict": "true", "view": "alibi"}
"""Its first question is a row of six bars to be drawn."""


@contextmanager
def pages(browser: Browser, address: str, code: str, count: int) -> Iterator[list[Page]]:
    """Yield `count` phones with a browser, each with separate cookies."""
    contexts = [browser.new_context(viewport={"width": 390, "height": 780}) for _ in range(count)]
    try:
        for context in contexts:
            context.set_default_timeout(1000 * LONGEST)
        opened = [context.new_page() for context in contexts]
        for page in opened:
            page.goto(f"{address}/room/{code}")
        yield opened
    finally:
        for context in contexts:
            context.close()


def draw(page: Page, bar: int) -> None:
    """Press a bar to half of its width, and send the row."""
    track = page.get_by_role("slider").nth(bar)
    box = track.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.up()
    page.get_by_role("button", name="Answer").click()


def ask(visitor: Visitor) -> str:
    """Press the button; the letters that are shown then."""
    visitor.page.get_by_role("button", name="Ask the room").click()
    return visitor.page.locator(".letters").first.inner_text()


@pytest.mark.long(
    "ten phones and a projector in one browser; what each is told is tested without one in every run"
)
@pytest.mark.parametrize("viewport", [(1280, 720)])
def test_ten_phones_answer_one_leaves_one_cheats_and_two_rounds_are_compared(
    visitor: Visitor, browser: Browser
) -> None:
    visitor.open("/positions", **ALIBI)
    projector, address = visitor.page, visitor.server.address
    figure = projector.locator(".st-key-scheme_added").first
    code = ask(visitor)
    assert re.fullmatch("[A-Z]{4}", code)
    expect(projector.get_by_text("Nobody has answered yet")).to_be_visible()
    expect(projector.get_by_alt_text(f"QR code of the room {code}")).to_have_js_property("complete", True)
    projector.get_by_role("button", name="QR code of the room").click()
    expect(projector.get_by_role("dialog").get_by_text(code)).to_be_visible()
    projector.keyboard.press("Escape")
    expect(projector.get_by_role("dialog")).to_have_count(0)
    others = [Phone(address, code) for _ in range(7)]
    with pages(browser, address, code, 3) as phones:
        for at, phone in enumerate(phones):
            draw(phone, at)
            expect(phone.get_by_text("Received: ")).to_be_visible()
        phones.pop().context.close()  # one leaves; its answer stays
        for other in others:
            assert other.enter() == 200
            assert "right" not in other.state()["question"]
            assert other.answer([0.1, 0.1, 0.1, 0.1, 0.2, 0.4]) == 200
        cheat(others[0], address, code)
        draw(phones[0], 3)  # a changed answer counts once
        expect(projector.get_by_text("10 have answered")).to_be_visible()
        expect(figure).not_to_be_visible()
        beside = visitor.context.new_page()
        beside.goto(f"{address}/room")
        beside.evaluate(f"() => {{ {TOLD.read_text('utf-8')} followRoom(document.querySelector('main')); }}")
        expect(beside.get_by_text(f"Room {code} · 10 have answered")).to_be_visible()

        projector.get_by_role("button", name="Reveal").click()
        expect(projector.get_by_text("10 answers")).to_be_visible()
        expect(figure).to_be_visible()
        expect(beside.get_by_text("10 have answered · revealed")).to_be_visible()
        beside.close()
        assert Axe().run(phones[0]).response["violations"] == []
        assert visitor.inaccessible() == []
        expect(projector.get_by_role("img", name="How much of a drawing belongs elsewhere")).to_be_visible()
        expect(phones[1].get_by_text("of what you have drawn belongs elsewhere")).to_be_visible()
        assert others[1].answer([1, 0, 0, 0, 0, 0]) == 409

        projector.get_by_role("button", name="Ask again").click()
        expect(figure).not_to_be_visible()
        visitor.click(projector.get_by_role("radio", name="prefix"))
        assert ask(visitor) == code
        for phone in phones:
            expect(phone.get_by_role("slider")).to_have_count(6)
            draw(phone, 1)
        expect(projector.get_by_text("2 have answered")).to_be_visible()
        projector.reload()
        visitor.settle()
        expect(projector.get_by_text("2 have answered")).to_be_visible()
        projector.get_by_role("button", name="Reveal").click()
        expect(projector.get_by_text("Round 2 · Mask: prefix · 2 answers")).to_be_visible()
        expect(projector.get_by_text("Round 1 · Mask: causal · 10 answers")).to_be_visible()

        projector.get_by_role("button", name="Next question").click()
        visitor.click(projector.get_by_role("radio", name="causal"))
        expect(projector.get_by_text("2 of 2")).to_be_visible()
        assert ask(visitor) == code
        expect(phones[0].get_by_role("button", name="head 1: slope 1/4")).to_be_visible()
        projector.get_by_role("button", name="Close the room").click()
        projector.get_by_role("button", name="Close it on every phone?").click()
        expect(projector.get_by_role("button", name="Ask the room")).to_be_visible()
        expect(phones[0].get_by_text("This room is closed.")).to_be_visible()


def cheat(phone: Phone, address: str, code: str) -> None:
    """Attacks from inside the room: none counts, and none is shown."""
    assert [phone.answer(said) for said in ("<b>pwned</b>", [9] * 6, [0.5], None)] == [400] * 4
    assert [phone.post(what, Authorization="Bearer guess") for what in ("reveal", "close")] == [404] * 2
    assert phone.answer([1, 0, 0, 0, 0, 0], Origin="https://evil.example") == 403
    assert Phone(address, code).answer([1, 0, 0, 0, 0, 0]) == 404, "without the cookie of the room"
    assert [phone.answer([1, 0, 0, 0, 0, 0]) for _ in range(3)] == [200] * 3
