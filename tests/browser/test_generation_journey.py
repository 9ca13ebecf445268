"""On the page Generation: three texts are walked through, and a bar that is clicked changes one of them."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.plot import Plot
from tests.browser.visitor import Visitor


@pytest.mark.long("a bar that is clicked; that the page follows keys is in every run")
def test_a_word_is_chosen_by_a_click_stays_in_the_link_and_is_taken_back(visitor: Visitor) -> None:
    visitor.go_on("/generation", text="the chef", most=4, stops="false")
    visitor.page.keyboard.press("ArrowRight")
    visitor.settle()
    assert "step=2" in visitor.page.url
    stops = visitor.page.get_by_role("switch", name="Stop at the end of the sentence")
    visitor.page.get_by_text("Stop at the end of the sentence").dblclick()
    visitor.settle()
    expect(stops).to_be_focused()
    visitor.page.keyboard.press("ArrowLeft")
    visitor.settle()
    assert "step=" not in visitor.page.url
    visitor.page.keyboard.press("ArrowRight")
    visitor.settle()
    assert "step=2" in visitor.page.url

    bars = Plot(visitor, "choices_rnn")
    word = bars.words()[4]
    bars.click(0.01, 4)  # the bar itself
    assert f"by_hand=R2%3D{word}" in visitor.page.url
    expect(visitor.page.get_by_text("Chosen by hand: RNN step 2")).to_contain_text(word)
    visitor.click(visitor.page.get_by_role("button", name="Take back the last word"))
    assert "by_hand" not in visitor.page.url

    word = bars.words()[2]
    bars.click(0.9, 2)  # far beside it
    assert f"by_hand=R2%3D{word}" in visitor.page.url
    visitor.page.get_by_role("button", name="Play").click()
    visitor.page.wait_for_url(re.compile("step=4"))
    visitor.settle()
    assert f"by_hand=R2%3D{word}" in visitor.page.url
    assert visitor.overflowing() == []
    assert visitor.exceptions() == []
