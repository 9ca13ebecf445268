"""A training in the browser: it grows by itself, stops at once, and survives a change of page."""

import re

import pytest
from playwright.sync_api import Locator, expect

from core.learning.checkpoints import read_record
from tests.browser.visitor import Visitor

SMALL = {"task": "recall", "batch": "4"}


LAST_STEP = """() => {
    const graphs = Array.from(document.querySelectorAll(".st-key-curves .js-plotly-plot"));
    return Math.max(0, ...graphs.map((graph) => graph._fullData?.[0].x.at(-1) ?? 0));
}"""


def button(visitor: Visitor, name: str) -> Locator:
    return visitor.page.get_by_role("button", name=name, exact=True)


def n_steps(visitor: Visitor) -> int:
    """Return how far the curve of the loss has come; while the page is drawn again there may be two."""
    return int(visitor.page.evaluate(LAST_STEP))


def grown(visitor: Visitor, beyond: int) -> None:
    """Wait until the curve reaches further than this."""
    visitor.page.wait_for_function(f"(least) => ({LAST_STEP})() > least", arg=beyond)


def go(visitor: Visitor, group: str, title: str) -> None:
    """Choose a page in the navigation, without waiting for it to come to rest."""
    visitor.page.get_by_test_id("stTopNavSection").filter(has_text=group).click()
    visitor.page.get_by_test_id("stTopNavDropdownLink").filter(has_text=title).click()


def paused_at(visitor: Visitor) -> int:
    """Return the step at which the page says that it has paused, which is where the curve ends."""
    said = visitor.page.get_by_text("Paused at step").inner_text()
    step = int(re.sub(r"\D", "", said.partition(" of ")[0]))
    assert n_steps(visitor) == step
    return step


@pytest.mark.long("a training that is looked at while it runs; its steps are tested without a browser")
def test_it_grows_by_itself_also_while_nobody_looks_stops_at_once_and_goes_on_step_by_step(
    visitor: Visitor,
) -> None:
    visitor.go_on("/training", steps=5000, **SMALL)
    assert n_steps(visitor) == 0
    button(visitor, "Start").click()
    grown(visitor, 2)
    grown(visitor, n_steps(visitor))

    before = n_steps(visitor)
    go(visitor, "Mechanism", "Interaction distance")
    visitor.settle()
    go(visitor, "Lab", "Training")
    grown(visitor, before)

    visitor.click(button(visitor, "Pause"))
    step = paused_at(visitor)
    assert step > before
    visitor.click(button(visitor, "Step"))
    expect(visitor.page.get_by_text(f"Paused at step {step + 1:,} of 5,000.")).to_be_visible()
    visitor.settle()
    assert paused_at(visitor) == step + 1

    visitor.click(button(visitor, "Reset"))
    expect(visitor.page.get_by_text("Nothing is trained yet.")).to_be_visible()
    visitor.settle()
    assert n_steps(visitor) == 0


@pytest.mark.long("from a training to its file and to the explorer: half a minute on a busy machine")
def test_a_finished_training_is_downloaded_and_opened_in_the_explorer(visitor: Visitor) -> None:
    visitor.open("/training", steps=5, positions="alibi", **SMALL)
    visitor.page.get_by_role("button", name="Start", exact=True).click()
    expect(visitor.page.get_by_text("Finished after 5 steps.")).to_be_visible()
    visitor.settle()

    with visitor.page.expect_download() as download:
        button(visitor, "Download the model").click()
    assert download.value.suggested_filename == "recall-causal-alibi-4-pre-5-steps.safetensors"
    record = read_record(download.value.path())
    assert (record.task, record.config.positions, record.recipe.steps) == ("recall", "alibi", 5)
    assert f"{100 * record.accuracy:.0f}\u00a0%" in visitor.page.get_by_text("Finished after").inner_text()
    visitor.settle()

    visitor.page.get_by_role("slider").press("Home")
    visitor.settle()
    expect(visitor.page.locator(".st-key-trained_attention")).to_contain_text("after step 0")
    assert "at=0" in visitor.page.url

    visitor.click(visitor.page.get_by_role("link", name="Open in the explorer"))
    expect(visitor.page.get_by_role("radio", name="mine")).to_be_checked()
    expect(visitor.page.get_by_label("Sentence")).to_have_value("d 4 k 7 a 2 k 7 d 4")
    visitor.settle()
    assert visitor.exceptions() == []
