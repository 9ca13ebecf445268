"""What was done by accident is taken back: act by act with one key or button, a selection with another."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.plot import Plot
from tests.browser.visitor import Visitor

STRIP = Path(__file__).parents[2] / "pages" / "controls" / "strip" / "strip.js"


def shows(visitor: Visitor, address: str) -> None:
    """The address becomes this one, and the page has answered."""
    visitor.settle()
    expect(visitor.page).to_have_url(f"{visitor.server.address}{address}")
    visitor.settle()


def undo(visitor: Visitor) -> None:
    visitor.page.keyboard.press("z")


@pytest.mark.long("acts of every kind in turn; strokes, clicks and what undo keeps are in every run")
def test_acts_of_every_kind_are_taken_back_one_after_the_other_and_escape_takes_back_a_cell_alone(
    visitor: Visitor,
) -> None:
    link = "/explorer?query=8&key=4"
    visitor.open("/explorer", query=8, key=4)
    button = visitor.page.get_by_role("button", name="Undo")
    expect(button).to_be_disabled()

    visitor.click(visitor.page.get_by_role("button", name="Zuko made …"))
    example = visitor.page.url.removeprefix(visitor.server.address)
    Plot(visitor, "matrix").click(0, 2)
    cell = visitor.page.url.removeprefix(visitor.server.address)
    visitor.click(visitor.page.get_by_role("radio", name="bidirectional", exact=True))
    switched = visitor.page.url.removeprefix(visitor.server.address)
    visitor.page.keyboard.press("Escape")
    shows(visitor, re.sub("(query|key|place)=[0-9]+&", "", switched))
    assert "mask=bidirectional" in visitor.page.url
    expect(visitor.page.get_by_text("Click a cell, or choose a query and a key")).to_be_visible()
    undo(visitor)
    shows(visitor, switched)
    visitor.click(visitor.page.get_by_role("radio", name="lines", exact=True))
    visitor.type("Sentence", "one two three")
    visitor.page.get_by_label("Sentence", exact=True).press("z")
    expect(visitor.page.get_by_label("Sentence", exact=True)).to_have_value("one two threez")
    visitor.settle()
    visitor.page.get_by_role("heading").first.click()

    box = visitor.page.get_by_label("Sentence", exact=True)
    while box.input_value().startswith("one"):  # one bout of typing, or more where the machine was slow
        typed = box.input_value()
        visitor.page.keyboard.press("Control+z")
        expect(box).not_to_have_value(typed)
        visitor.settle()
    expect(box).to_have_value("Zuko made his uncle tea")
    undo(visitor)
    shows(visitor, switched)
    undo(visitor)
    shows(visitor, cell)
    visitor.click(button)
    shows(visitor, example)
    button.click()
    shows(visitor, link)
    expect(visitor.page.get_by_text("Zuko (8) attends to near (4)")).to_be_visible()
    expect(button).to_be_disabled()
    undo(visitor)
    visitor.settle()
    assert visitor.page.url.endswith(link), "undo never leaves what the link has opened"


def test_a_stroke_is_one_act_and_clicks_are_as_many_however_quick(visitor: Visitor) -> None:
    visitor.open("/masking")
    figure = Plot(visitor, "painted")
    mouse = visitor.page.mouse
    for place in [figure._place(x, y) for x, y in ((0, 1), (0, 2), (1, 2))]:
        mouse.click(*place)
    visitor.settle()
    three = visitor.page.url
    assert "cells=" in three
    begin, end = figure._place(0, 4), figure._place(3, 4)
    mouse.move(*begin)
    mouse.down()
    mouse.move(*end, steps=9)
    mouse.up()
    visitor.settle()
    assert visitor.page.url != three

    undo(visitor)
    expect(visitor.page).to_have_url(three)
    visitor.settle()
    kept = visitor.page.evaluate("() => attentionLabActs.kept.map(({ address }) => address)")
    assert len(kept) == 3, "three clicks"
    for address in reversed(kept):
        undo(visitor)
        expect(visitor.page).to_have_url(address)

    visitor.click(visitor.page.get_by_role("radio", name="window", exact=True))
    expect(visitor.page.get_by_role("button", name="Undo")).to_be_enabled()
    visitor.click(visitor.page.get_by_test_id("stTopNavSection").filter(has_text="Mechanism"))
    visitor.click(visitor.page.get_by_test_id("stTopNavDropdownLink").filter(has_text="Scaling"))
    button = visitor.page.get_by_role("button", name="Undo")
    expect(button, "another page has nothing to take back").to_be_disabled()


@pytest.fixture
def acts(visitor: Visitor) -> Page:
    """What undo keeps of acts, on a page that no server answers."""
    visitor.forget()
    empty = f"{visitor.server.address}/?layer=2"
    visitor.page.route(empty, lambda route: route.fulfill(body="<p>", content_type="text/html"))
    visitor.page.goto(empty)
    visitor.page.unroute(empty)
    code = STRIP.parents[2] / "controls" / "acts.js"
    visitor.page.add_script_tag(
        content=f"""{code.read_text("utf-8")}
        globalThis.acts = new Acts({{}});
        globalThis.press = () => acts.press({{ type: "keydown", composedPath: () => [document.body] }});
        globalThis.serve = (search) => {{ history.replaceState(null, "", search); acts.change(); }};
        globalThis.step = (stage) => {{ press(); acts.pass({{ stage }}); }};
        globalThis.kept = () => acts.kept.map(({{ address }}) => new URL(address).search);"""
    )
    return visitor.page


def test_an_answer_to_an_earlier_step_is_not_where_the_next_one_begins(acts: Page) -> None:
    ask(
        acts,
        "step('q'); serve('?layer=2&stage=q'); step('k'); step('v'); serve('?layer=2&stage=k'); step('s');",
    )
    assert ask(acts, "return kept()") == [
        "?layer=2",
        "?layer=2&stage=q",
        "?layer=2&stage=k",
        "?layer=2&stage=v",
    ]
    ask(acts, "serve('?layer=2&stage=s'); serve('?layer=2&stage=k');")
    assert ask(acts, "return new URL(acts.here).search") == "?layer=2&stage=k", (
        "by another way than the strip"
    )
    assert ask(acts, "return kept().length") == 4


def test_the_first_stage_is_absent_from_the_address_and_one_never_confirmed_goes(acts: Page) -> None:
    ask(acts, "step('q'); step(null); serve('?layer=2&stage=q');")
    assert ask(acts, "return new URL(acts.here).search") == "?layer=2"
    ask(acts, "acts.answered(['stage']); serve('?layer=2&stage=v');")
    assert ask(acts, "return new URL(acts.here).search") == "?layer=2&stage=v"


@pytest.fixture
def strip(visitor: Visitor) -> Page:
    """A strip of stages without a server: what it would send stands in `sent`."""
    visitor.forget()
    code = STRIP.read_text("utf-8").partition("export default")[0]
    visitor.page.add_script_tag(
        content=f"""{code}
        Strip.prototype.draw = () => {{}};
        globalThis.sent = [];
        globalThis.strip = new Strip({{ host: document.body, append() {{}}, querySelector() {{}} }});
        function element() {{ return document.createElement("div"); }}
        globalThis.tell = (names, stage, more = {{}}) => strip.update(
            {{ stages: names.map((name) => ({{ name }})), stage, alt: "", ...more }},
            (event, value) => sent.push(value));
        globalThis.press = (act) => strip.follow({{ detail: act, preventDefault() {{}} }});
        globalThis.asked = () => sent.at(-1)?.name;"""
    )
    return visitor.page


ALL, WITHOUT = (
    "['embeddings', 'scores', 'scale', 'mask', 'softmax']",
    "['embeddings', 'scores', 'mask', 'softmax']",
)


def ask(page: Page, script: str) -> Any:
    return page.evaluate(f"() => {{ {script} }}")


def test_a_step_before_the_new_list_of_stages_is_one_step(strip: Page) -> None:
    """From scores, while the switch that takes the stage after it away is being answered."""
    ask(strip, f"tell({ALL}, 'scores'); press('next'); tell({WITHOUT}, 'scores', {{ heard: 0 }});")
    assert ask(strip, "return strip.open") == "mask"
    for times in (1, 2, 9):
        ask(strip, f"tell({ALL}, 'embeddings', {{ restored: true }});")
        ask(strip, "press('next');" * times)
        assert ask(strip, "return strip.at") == min(times, 4), "as many as were pressed, to the last stage"


def test_what_the_server_says_of_an_earlier_question_moves_no_stage(strip: Page) -> None:
    ask(strip, f"tell({ALL}, 'scale'); press('back');")
    ask(strip, f"tell({WITHOUT}, 'mask', {{ heard: 0 }});")
    assert ask(strip, "return [strip.open, sent.length]") == ["scores", 1]
    ask(strip, "press('next');")
    assert ask(strip, "return strip.open") == "mask"
    asked = ask(strip, "return sent.length")
    ask(strip, f"tell({WITHOUT}, 'embeddings', {{ heard: sent.at(-1).question }});")
    assert ask(strip, "return [strip.open, asked(), sent.length]") == ["mask", "mask", asked + 1]
    ask(strip, f"tell({WITHOUT}, 'mask', {{ heard: sent.at(-1).question }});")
    ask(strip, "strip.touch({ composedPath: () => [{ classList: { contains: (name) => name === MENU } }] });")
    ask(strip, f"tell({WITHOUT}, 'softmax', {{ heard: sent.at(-1).question }});")
    assert ask(strip, "return strip.open") == "softmax", "chosen in the menu, once all is answered"


def test_what_the_menu_said_before_a_step_does_not_take_the_step_back(strip: Page) -> None:
    """A switch is flipped before the browser has the answer to the step: it brings the menu's former one."""
    ask(strip, f"tell({ALL}, 'softmax'); press('back');")
    ask(strip, f"tell({ALL}, 'mask', {{ heard: sent.at(-1).question }});")
    asked = ask(strip, "return sent.length")
    ask(strip, f"tell({WITHOUT}, 'softmax', {{ heard: sent.at(-1).question }});")
    assert ask(strip, "return [strip.open, asked(), sent.length]") == ["mask", "mask", asked + 1]
    ask(strip, "press('back');")
    assert ask(strip, "return strip.open") == "scores"


def test_undo_beats_a_stage_that_was_not_confirmed(strip: Page) -> None:
    ask(strip, f"tell({ALL}, 'embeddings'); press('next');")
    ask(strip, f"tell({ALL}, 'embeddings', {{ heard: 0, restored: true }});")
    assert ask(strip, "return [strip.open, strip.asked]") == ["embeddings", None]
