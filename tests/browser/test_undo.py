"""Back and undo lead through what a visitor has done, act by act; Escape takes back a selection."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.plot import Plot
from tests.browser.visitor import Visitor

STRIP = Path(__file__).parents[2] / "pages" / "browser" / "strip" / "strip.js"

PICTURES = """() => [...document.querySelectorAll(".js-plotly-plot")]
    .map(({ data }) => JSON.stringify(data.map(({ z, x, y, text }) => [z, x, y, text])))"""


def undo(visitor: Visitor) -> None:
    visitor.page.keyboard.press("z")
    visitor.settle()


Seen = tuple[str, list[str], list[str], list[str]]


def seen(visitor: Visitor) -> Seen:
    """Return the address, the sentence, what is unfolded, and the pictures."""
    page = visitor.page
    sentence = page.locator(".st-key-text input").evaluate_all("(boxes) => boxes.map((box) => box.value)")
    unfolded = page.locator("summary", has_text="keyboard_arrow_down").all_inner_texts()  # its arrow
    return page.url, sentence, unfolded, page.evaluate(PICTURES)


def choose(visitor: Visitor, name: str) -> Callable[[], None]:
    return lambda: visitor.click(visitor.page.get_by_role("radio", name=name, exact=True))


def turn(visitor: Visitor, name: str) -> Callable[[], None]:
    return lambda: visitor.click(visitor.page.get_by_text(name, exact=True))


def cell(visitor: Visitor, x: int, y: int) -> Callable[[], None]:
    return lambda: Plot(visitor, "matrix").click(x, y)


def unfold(visitor: Visitor, figure: str) -> Callable[[], None]:
    return lambda: visitor.click(visitor.page.locator(f".st-key-{figure}_table summary"))


def pick(visitor: Visitor, menu: str, option: str) -> Callable[[], None]:
    def act() -> None:
        visitor.page.get_by_label(menu, exact=True).click()
        visitor.click(visitor.page.get_by_role("option", name=option, exact=True))

    return act


def go(visitor: Visitor, group: str, name: str) -> Callable[[], None]:
    def act() -> None:
        visitor.page.get_by_test_id("stTopNavSection").filter(has_text=group).click()
        visitor.click(visitor.page.get_by_test_id("stTopNavDropdownLink").filter(has_text=name))

    return act


def slide(visitor: Visitor, key: str) -> Callable[[], None]:
    def act() -> None:
        visitor.page.get_by_role("slider").press(key)
        visitor.settle()

    return act


def paint(visitor: Visitor, begin: tuple[int, int], end: tuple[int, int]) -> None:
    figure, mouse = Plot(visitor, "painted"), visitor.page.mouse
    begun, ended = figure._place(*begin), figure._place(*end)
    mouse.move(*begun)
    mouse.down()
    mouse.move(*ended, steps=9)
    mouse.up()
    visitor.settle()


@pytest.mark.long("more than twenty acts of every kind, on three pages")
def test_twenty_acts_and_twenty_times_back(visitor: Visitor) -> None:
    visitor.open("/explorer", query=8, key=4)
    page = visitor.page
    acts = [
        *(choose(visitor, name) for name in ("random", "bidirectional", "post", "lines", "matrix")),
        lambda: visitor.click(page.get_by_role("button", name="Zuko made …")),
        *(cell(visitor, *at) for at in ((0, 2), (1, 3))),
        *(turn(visitor, name) for name in ("Residual", "Scale by √d_head")),
        lambda: visitor.type("Sentence", "the chef praised the soup"),
        unfold(visitor, "matrix"),
        pick(visitor, "Layer", "2"),
        *(choose(visitor, name) for name in ("ALiBi", "compare")),
        go(visitor, "Mechanism", "Step by step"),
        choose(visitor, "soft lookup"),
        *(slide(visitor, key) for key in ("End", "Home")),
        go(visitor, "Mechanism", "Masking"),
        choose(visitor, "window"),
        lambda: paint(visitor, (0, 4), (3, 4)),
        unfold(visitor, "painted"),
    ]
    states = [seen(visitor)]
    for act in acts:
        page.wait_for_timeout(600)  # acts within half a second on one control are one
        act()
        states.append(seen(visitor))
    addresses = [address for address, *_ in states]
    assert all(before != after for before, after in pairwise(addresses)), "every act changes the address"
    for state in reversed(states[:-1]):
        page.go_back()
        visitor.settle()
        assert seen(visitor) == state
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    for state in states[1:]:
        page.go_forward()
        visitor.settle()
        assert seen(visitor) == state


@pytest.mark.long("many acts on one page; a stroke is taken back in every run")
def test_undo_goes_back_and_escape_takes_back_a_selection(visitor: Visitor) -> None:
    visitor.open("/explorer", query=8, key=4)
    page, button = visitor.page, visitor.page.get_by_role("button", name="Undo")
    opened = seen(visitor)
    expect(button).to_be_disabled()
    choose(visitor, "bidirectional")()
    switched = seen(visitor)
    page.keyboard.press("Escape")
    visitor.settle()
    assert "query" not in page.url
    assert "mask=bidirectional" in page.url
    expect(page.get_by_text("Click a cell, or choose a query and a key")).to_be_visible()
    undo(visitor)
    assert seen(visitor) == switched
    visitor.type("Sentence", "one two three")
    box = page.get_by_label("Sentence", exact=True)
    box.press("z")
    expect(box).to_have_value("one two threez")
    visitor.settle()
    page.get_by_role("heading").first.click()
    page.keyboard.press("Control+z")
    visitor.settle()
    undo(visitor)
    assert seen(visitor) == switched, "typing without a pause is one act"
    visitor.click(button)
    assert seen(visitor) == opened
    expect(button).to_be_disabled()
    undo(visitor)
    assert seen(visitor) == opened, "undo never leaves the state of the opened link"


def test_a_stroke_is_one_act(visitor: Visitor) -> None:
    visitor.go_on("/masking", text="hot tea is good now")
    opened = visitor.page.url
    paint(visitor, (0, 4), (3, 4))
    assert "cells=" in visitor.page.url
    undo(visitor)
    assert visitor.page.url == opened


@pytest.mark.long("a second page; an act is taken back in every run")
def test_another_page_has_nothing_to_take_back(visitor: Visitor) -> None:
    visitor.open("/masking")

    choose(visitor, "window")()
    button = visitor.page.get_by_role("button", name="Undo")
    expect(button).to_be_enabled()
    visitor.click(visitor.page.get_by_test_id("stTopNavSection").filter(has_text="Mechanism"))
    visitor.click(visitor.page.get_by_test_id("stTopNavDropdownLink").filter(has_text="Scaling"))
    expect(button).to_be_disabled()


def test_the_address_of_the_next_page_leaves_the_entry_of_this_one_alone(visitor: Visitor) -> None:
    """On a quick server Streamlit hears of it before it has left the page."""
    visitor.open("/glossary", term="head")
    visit = """() => {
        const seen = [];
        for (const address of ["?seed=7&~=scaling", "/scaling", "?seed=8&~=scaling"]) {
            history.pushState({}, "", address);
            seen.push([location.pathname + location.search, history.state?.entry ?? null]);
        }
        return seen;
    }"""
    assert visitor.page.evaluate(visit) == [
        ["/glossary?term=head", None],
        ["/scaling?seed=7", 0],
        ["/scaling?seed=8", 0],
    ]


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


def test_a_late_reply_of_the_server_moves_no_stage(strip: Page) -> None:
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


def test_an_old_value_of_the_menu_does_not_undo_a_step(strip: Page) -> None:
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
