"""Step by step in a real browser: stage after stage with mouse and keys, entries pointed at and changed."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.visitor import Visitor

PAUSE = 500
"""Milliseconds without any input, after which another step is another act; see `entries.js`."""

THREE_TO_THE_RIGHT = """() => {
    const press = { key: "ArrowRight", bubbles: true, composed: true, cancelable: true };
    for (let n = 0; n < 3; n += 1) document.activeElement.dispatchEvent(new KeyboardEvent("keydown", press));
}"""
RULES = Path(__file__).parents[2] / "pages" / "browser" / "strip" / "rules.js"


def cell(visitor: Visitor, row: int, column: int) -> Locator:
    """Return an entry of the open stage's result, counted from 1."""
    return visitor.page.locator(f"figure.result td[data-row='{row - 1}'][data-column='{column - 1}']")


def title(visitor: Visitor) -> Locator:
    return visitor.page.locator(".steps h2")


@pytest.mark.long("the strip in a browser; each stage is tested without one")
def test_stages_are_walked_with_buttons_quick_keys_and_small_pictures_and_steps_are_taken_back(
    visitor: Visitor,
) -> None:
    visitor.go_on("/step-by-step")
    expect(title(visitor)).to_have_text("1 · Embeddings")

    visitor.click(visitor.page.get_by_role("button", name="Next →"))
    expect(title(visitor)).to_have_text("2 · Queries")
    expect(visitor.page).to_have_url(re.compile(r"stage=q$"))  # is answered, however late
    visitor.page.wait_for_timeout(2 * PAUSE)  # a separate act
    visitor.page.evaluate(THREE_TO_THE_RIGHT)  # one act, however busy the machine
    expect(title(visitor)).to_have_text("5 · Scores")
    visitor.settle()
    expect(title(visitor)).to_have_text("5 · Scores")
    visitor.page.keyboard.press("z")
    expect(title(visitor)).to_have_text("2 · Queries")
    visitor.settle()
    visitor.page.keyboard.press("ArrowRight")
    visitor.page.keyboard.press("ArrowRight")
    visitor.page.keyboard.press("ArrowRight")
    visitor.page.keyboard.press("ArrowLeft")
    expect(title(visitor)).to_have_text("4 · Values")
    expect(visitor.page).to_have_url(re.compile(r"/step-by-step\?stage=v$"))  # all are answered

    visitor.click(visitor.page.locator(".strip").get_by_role("button", name="softmax"))
    expect(title(visitor)).to_have_text("8 · Attention weights")
    expect(visitor.page).to_have_url(re.compile(r"/step-by-step\?stage=softmax$"))
    visitor.page.keyboard.press("p")
    expect(title(visitor)).to_have_text("9 · Weighted sum")
    visitor.page.keyboard.press("p")
    expect(visitor.page.get_by_role("button", name="Play (P)")).to_be_visible()

    visitor.click(visitor.page.locator("h1").first)  # Streamlit gives the focus to all around it
    visitor.page.keyboard.press("ArrowLeft")
    expect(title(visitor)).to_have_text("8 · Attention weights")
    visitor.click(visitor.page.get_by_text("Scale by √d_head", exact=True))
    visitor.page.keyboard.press("ArrowRight")
    expect(title(visitor)).to_have_text("8 · Weighted sum")
    visitor.click(visitor.page.get_by_role("radio", name="all words"))
    visitor.page.keyboard.press("ArrowLeft")  # leads along the radio group
    expect(title(visitor)).to_have_text("8 · Weighted sum")
    visitor.page.keyboard.press("p")
    expect(visitor.page.get_by_role("button", name="Pause (P)")).to_be_visible()
    visitor.page.keyboard.press("p")
    visitor.page.get_by_label("Sentence", exact=True).press("p")
    expect(visitor.page.get_by_role("button", name="Play (P)")).to_be_visible()


@pytest.mark.long("sizes on a large page; large pages are played in every run")
def test_a_row_of_numbers_is_larger_on_a_large_page(visitor: Visitor) -> None:
    visitor.open("/step-by-step", stage="softmax", form="one word")
    on_page = cell(visitor, 1, 1).bounding_box()
    lit, told = visitor.page.locator("figure.result td.lit"), visitor.page.locator(".readout")
    expect(lit).to_have_count(0)
    visitor.open("/step-by-step", stage="softmax", form="one word", large="true")
    visitor.page.wait_for_timeout(1000)  # the strip is laid out anew once it knows its stage
    in_hall = cell(visitor, 1, 1).bounding_box()
    assert on_page is not None
    assert in_hall is not None
    assert in_hall["width"] > 1.5 * on_page["width"]
    assert in_hall["height"] > 1.5 * on_page["height"]
    expect(lit).to_have_count(1)  # a hall is told where the largest entry comes from
    weights = visitor.page.locator("figure.result td[data-row]").all_inner_texts()
    expect(lit).to_have_text(max(weights))
    expect(told).to_contain_text(f"= {max(weights)}")
    assert visitor.page.locator(".lighting").count() == 0


@pytest.mark.long("a stage in a lecture; a lecture is played in every run")
def test_a_step_of_a_lecture_shows_its_stage_without_the_strip(visitor: Visitor) -> None:
    visitor.page.goto(f"{visitor.server.address}/lecture?deck=in_45_minutes&step=5")
    frame = visitor.page.frame_locator("iframe")
    weight = frame.locator("figure.result td[data-row='0'][data-column='1']")
    expect(weight).to_have_text("0.99")
    for hidden in (".strip", ".heading"):
        expect(frame.locator(hidden)).to_be_hidden()
    box, window = weight.bounding_box(), visitor.page.viewport_size
    assert box is not None
    assert window is not None
    assert 0.3 < (box["y"] + box["height"] / 2) / window["height"] < 0.7, "in the middle of the window"


@pytest.mark.long("an entry changed by mouse; what it moves is tested without a browser")
@pytest.mark.parametrize("theme", ["dark"])
def test_a_changed_query_is_in_the_link_moves_what_follows_and_can_be_undone(visitor: Visitor) -> None:
    visitor.go_on("/step-by-step", size="small", stage="q")
    visitor.click(cell(visitor, 5, 2))
    visitor.page.keyboard.type("2,5")
    visitor.page.keyboard.press("Enter")
    visitor.settle()

    assert "edit=q.5.2.2.5" in visitor.page.url
    expect(cell(visitor, 5, 2)).to_have_text("2.50")
    expect(visitor.page.locator("figure.result td.changed")).to_have_count(1)
    visitor.click(visitor.page.locator(".strip").get_by_role("button", name="softmax"))
    expect(visitor.page.locator("figure.result td.changed")).to_have_count(5)
    weights = [float(cell(visitor, 5, at).inner_text()) for at in range(1, 6)]
    assert sum(weights) == pytest.approx(1, abs=0.03)

    visitor.click(visitor.page.get_by_role("button", name="Take back 1 change"))
    expect(visitor.page.locator("td.changed")).to_have_count(0)
    assert "edit" not in visitor.page.url


@pytest.mark.long("the keys of the matrices; the stages are walked with keys by every run")
def test_entries_are_reached_and_changed_with_the_keyboard_alone(visitor: Visitor) -> None:
    visitor.open("/step-by-step", size="small", stage="v", text="one two")
    cell(visitor, 1, 1).focus()
    visitor.page.keyboard.press("ArrowRight")
    visitor.page.keyboard.press("ArrowDown")
    expect(cell(visitor, 2, 2)).to_be_focused()
    expect(visitor.page.locator(".readout")).to_contain_text("v (two, 2) = ")
    expect(title(visitor)).to_have_text("4 · Values")

    visitor.page.keyboard.press("Enter")
    visitor.page.keyboard.type("abc")
    visitor.page.keyboard.press("Enter")
    expect(visitor.page.locator(".readout")).to_have_text("Type a number from −1000 to 1000.")
    visitor.page.keyboard.press("Escape")
    expect(cell(visitor, 2, 2)).to_be_focused()
    visitor.page.keyboard.press("Enter")
    visitor.page.keyboard.type("-1")
    visitor.page.keyboard.press("Enter")
    visitor.settle()
    assert "edit=v.2.2.-1" in visitor.page.url


@pytest.mark.parametrize(
    ("weights", "values", "told"),
    [
        ([0.933, 0.0134], [1, 0], "z (are, 1) = 0.93·1.00 + 0.01·0.00 = 0.93"),
        ([0.933, 0.0134], [1, 1], "z (are, 1) = 0.933·1.000 + 0.013·1.000 = 0.946"),
        ([0.933, -0.001], [1, 1], "z (are, 1) = 0.93·1.00 + 0.00·1.00 = 0.93"),
    ],
)
def test_a_sum_has_a_third_decimal_if_it_does_not_add_up_without(
    visitor: Visitor, weights: list[float], values: list[float], told: str
) -> None:
    visitor.forget()
    code = "".join((RULES.with_name(name)).read_text("utf-8") for name in ("numbers.js", "rules.js"))
    visitor.page.add_script_tag(content=f"{code} globalThis.explained = explained;")
    made = sum(one * other for one, other in zip(weights, values, strict=True))
    stage = {
        "rule": "multiply",
        "symbol": "z",
        "operands": [
            {"values": [weights], "nColumns": len(weights)},
            {"values": [[one] for one in values], "nColumns": 1},
        ],
        "result": {"values": [[made]], "rows": ["are"], "columns": ["1"]},
    }
    assert visitor.page.evaluate("(stage) => explained(stage, 0, 0)", stage) == told


def test_powers_of_e_are_raised_as_in_formulas(visitor: Visitor) -> None:
    visitor.forget()
    element = "const element = (tag, _, text) => `<${tag}>${text}</${tag}>`;"
    visitor.page.add_script_tag(content=f"{element} {RULES.read_text('utf-8')} globalThis.raised = raised;")

    said = "α (the, *e*) = e^4.24 / (e^4.24 + e^(−1.50) + e^−∞ + …)"
    raised = "α (the, *e*) = e<sup>4.24</sup> / (e<sup>4.24</sup> + e<sup>(−1.50)</sup> + e<sup>−∞</sup> + …)"
    assert visitor.page.evaluate("(said) => raised(said).join('')", said) == raised
