"""A view that asks first: nothing of what it found is seen or reached before its questions are answered."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.visitor import Visitor


def answers(visitor: Visitor) -> Locator:
    return visitor.page.locator("#questions, .questions")


def test_nothing_is_shown_before_an_answer_is_chosen(visitor: Visitor) -> None:
    visitor.open("/masking", predict="true")
    page, asked = visitor.page, answers(visitor)
    answer = page.get_by_text("all of its attention; without")
    expect(answer).not_to_be_visible()
    assert not page.locator(".st-key-painted").first.is_visible()
    asked.get_by_role("button", name="more than 0").press("Enter")
    expect(asked.get_by_text("“more than 0” is right.")).to_be_visible()
    expect(answer).not_to_be_visible()

    asked.get_by_role("button", name="Show the result").press("Enter")
    expect(answer).to_be_visible()
    expect(page.locator(".st-key-painted").first).to_be_visible()
    visitor.click(page.get_by_role("radio", name="window"))
    expect(answer).to_be_visible()

    asked.get_by_role("button", name="Ask me again").click()
    expect(answer).not_to_be_visible()
    visitor.click(page.get_by_text("Predict first"))
    expect(answer).to_be_visible()
    assert "predict" not in page.url


def test_a_row_is_drawn_and_compared(visitor: Visitor) -> None:
    visitor.go_on("/positions", view="alibi", predict="true")
    page, asked = visitor.page, answers(visitor)
    tracks = asked.get_by_role("slider")
    first, last = tracks.first.bounding_box(), tracks.last.bounding_box()
    assert first is not None
    assert last is not None
    page.mouse.move(first["x"] + first["width"] / 2, first["y"] + 5)
    page.mouse.down()
    page.mouse.move(last["x"] + last["width"] / 2, last["y"] + 5, steps=12)
    page.mouse.up()
    assert {round(float(track.get_attribute("aria-valuenow") or 0), 1) for track in tracks.all()} == {0.5}
    for key, shown in (("End", "100 %"), ("Home", "0 %")):
        tracks.last.press(key)
        expect(tracks.last).to_have_attribute("aria-valuetext", shown)
    tracks.last.press("End")
    for _ in range(10):
        tracks.last.press("ArrowLeft")
    tracks.first.press("ArrowRight")
    expect(tracks.first).to_have_attribute("aria-valuetext", "55 %")
    for key, value in {"End": "100 %", "Home": "0 %", "ArrowUp": "5 %"}.items():
        tracks.first.press(key)
        expect(tracks.first).to_have_attribute("aria-valuetext", value)
    asked.get_by_role("button", name="Answer").click()
    # 1/6 each but for rounding and the key, of 0.08, 0.10, 0.13, 0.17, 0.22 and 0.28.
    expect(asked.get_by_text(re.compile(r"^1\d % of what you have drawn belongs elsewhere"))).to_be_visible()
    asked.get_by_role("button", name="Next question").press("Enter")
    expect(asked.get_by_role("button", name="head 4: slope 1/256")).to_be_visible()


def test_typed_markup_in_a_question_is_text(visitor: Visitor) -> None:
    visitor.go_on("/masking", beside="gradient", predict="true", text="tea * <img>")
    asked = answers(visitor)
    expect(asked.get_by_text("may not attend to")).to_contain_text("img may not attend to")
    assert asked.locator("img").count() == 0
    asked.get_by_role("button", name="Show it now").click()
    expect(visitor.page.locator(".st-key-gradient").first).to_be_visible()


@pytest.mark.long("a view without a question; views with questions are in every run")
def test_a_view_without_a_question_says_so(visitor: Visitor) -> None:
    visitor.open("/explorer", view="compare", b_silenced="1.1", predict="true")
    expect(visitor.page.get_by_text("there is no question with one clear answer.")).to_be_visible()
