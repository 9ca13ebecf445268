"""On the page Blocks: deeper models, a word whose statistics stay; and the way there from Sources."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.plot import Plot
from tests.browser.visitor import Visitor


def test_a_word_keeps_its_statistics_when_all_others_change(visitor: Visitor) -> None:
    visitor.open("/blocks", text="the oven cooked the bread so")
    visitor.click(visitor.page.get_by_role("radio", name="4", exact=True).first)
    visitor.click(visitor.page.get_by_role("radio", name="24"))
    expect(visitor.page.get_by_text("Before any training, 24 blocks deep")).to_be_visible()
    assert "depth=24" in visitor.page.url

    visitor.click(visitor.page.get_by_role("radio", name="layer norm"))
    Plot(visitor, "tokens").click(4, 0.5)
    assert "word=5" in visitor.page.url
    visitor.click(visitor.page.get_by_text("Change all other words", exact=True).first)

    expect(visitor.page.get_by_text("the statistics of bread changed by 0")).to_be_visible()
    assert "others=true" in visitor.page.url
    assert visitor.exceptions() == []


@pytest.mark.long("a link of Sources as a browser reads it; sessions without one open them all")
def test_sources_lead_to_the_place_in_the_app(visitor: Visitor) -> None:
    visitor.open("/sources")
    link = visitor.page.get_by_role("link", name="Blocks: two layers in one")

    visitor.open(link.get_attribute("href") or "")

    expect(visitor.page.get_by_text("the same, up to rounding")).to_be_visible()
    assert visitor.exceptions() == []


DEEPEST = {"view": "short training", "train_depth": 12}
"""A training that takes as long as one can here."""


@pytest.mark.long(
    "a window closed during a training; that nobody's training stops is tested without a browser"
)
def test_a_training_is_stopped_when_whoever_began_it_has_gone(visitor: Visitor) -> None:
    visitor.open("/blocks", **DEEPEST)
    press_train(visitor)
    expect(training(visitor)).to_be_visible()
    visitor.page.goto("about:blank")

    # To the server this is another visitor. What had been trained to its end would be shown at once.
    visitor.open("/blocks", **DEEPEST)
    for _ in range(TRIES):
        press_train(visitor)
        expect(training(visitor).or_(asked_to_wait(visitor))).to_be_visible()
        if training(visitor).count():
            break
        visitor.page.wait_for_timeout(500)
    expect(training(visitor)).to_be_visible()


TRIES = 40
"""A visitor is told to wait for a minute, and tries it earlier."""


def press_train(visitor: Visitor) -> None:
    visitor.page.get_by_role("button", name="Train three models").click()


def training(visitor: Visitor) -> Locator:
    return visitor.page.get_by_text(re.compile(r"^Layer norm \w+: step"))


def asked_to_wait(visitor: Visitor) -> Locator:
    return visitor.page.get_by_text("Another visitor is training here at the moment")
