"""On the page Translation: a sentence word by word, by hand and by itself, and what a wrong word does."""

import re

from playwright.sync_api import expect

from tests.browser.visitor import Visitor


def test_a_translation_is_walked_through_word_by_word_and_plays_to_its_end(visitor: Visitor) -> None:
    visitor.open("/translation")
    visitor.click(visitor.page.get_by_role("radio", name="vendit", exact=True))
    assert visitor.page.url.endswith("/translation?step=8")
    visitor.page.keyboard.press("ArrowRight")
    visitor.settle()
    expect(visitor.page.get_by_role("radio", name="gravo", exact=True)).to_be_checked()

    visitor.page.get_by_role("button", name="Play").click()
    expect(visitor.page.get_by_role("button", name="Pause")).to_be_visible()
    visitor.page.wait_for_url(re.compile("step=11$"), timeout=30_000)
    expect(visitor.page.get_by_role("button", name="Play")).to_be_visible()
    visitor.settle()
    visitor.click(visitor.page.get_by_role("radio", name="teacher forcing", exact=True))
    expect(visitor.page.get_by_text("Left to itself after the wrong word")).to_contain_text("grava")
    assert visitor.overflowing() == []
