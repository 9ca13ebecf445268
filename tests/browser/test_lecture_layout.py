"""In a hall the picture fills the window, the last row can read it, and a click hits what is seen."""

from typing import Any

import pytest
from playwright.sync_api import Locator

from pages.contract.answers import parsed
from pages.lecture.deck import shipped
from tests.browser.visitor import Visitor
from tests.views import PAGES

LEAST_SHARE, LEAST_TYPE = 0.75, 17.9
"""What a picture takes of the window, and pixels of its smallest letters where that is 1280 wide."""

DRAWN = "[class*=st-key-lecture_panels]"

MEASURE = """(group) => {
    const plots = [...group.querySelectorAll(".js-plotly-plot")];
    const boxes = plots.map((plot) => plot.getBoundingClientRect());
    const edge = (name, choose) => choose(...boxes.map((box) => box[name]));
    const width = edge("right", Math.max) - edge("left", Math.min);
    const top = edge("top", Math.min), bottom = edge("bottom", Math.max);
    const seen = width * (Math.min(bottom, innerHeight) - top) / innerWidth / innerHeight;
    const texts = plots.flatMap((plot) => {
        const magnified = plot.getBoundingClientRect().width / plot.offsetWidth;
        const written = [...plot.querySelectorAll("text")].filter((text) => text.textContent.trim());
        const size = (text) => magnified * parseFloat(getComputedStyle(text).fontSize);
        return written.map((text) => [text.textContent, size(text)]);
    });
    const wider = document.querySelector(".stMain").scrollWidth - innerWidth;
    return { seen: boxes.length ? seen : 0, below: bottom - innerHeight, wider, texts };
}"""
"""What the first group of pictures takes of the window, how far it is below it, and the type of its words."""

CELL = """(plot, [x, y]) => {
    const box = plot.getBoundingClientRect(), magnified = box.width / plot.offsetWidth;
    const { xaxis, yaxis } = plot._fullLayout;
    const inside = [xaxis._offset + xaxis.d2p(x), yaxis._offset + yaxis.d2p(y)];
    return [box.x + magnified * inside[0], box.y + magnified * inside[1]];
}"""
"""Where the middle of a cell is in the window."""


def measured(visitor: Visitor) -> dict[str, Any]:
    found: dict[str, Any] = visitor.page.locator(DRAWN).first.evaluate(MEASURE)
    return found


def assert_fills(visitor: Visitor, *, least_type: float = LEAST_TYPE) -> None:
    """The picture takes the window, is in sight, and its words are large, whole and apart from others."""
    found = measured(visitor)
    assert found["seen"] >= LEAST_SHARE
    assert found["below"] <= 1
    assert [(text, size) for text, size in found["texts"] if size < least_type] == []
    assert visitor.illegible() == []
    assert found["wider"] <= 0


def cell(plot: Locator, query: int, key: int) -> tuple[float, float]:
    x, y = plot.evaluate(CELL, [key, query])
    return x, y


def is_folded(visitor: Visitor) -> bool:
    return not visitor.page.get_by_label("Sentence", exact=True).is_visible()


@pytest.mark.parametrize("viewport", [(1280, 720)])
def test_a_picture_fills_the_window_and_clicks_and_strokes_hit_what_is_seen(visitor: Visitor) -> None:
    visitor.open("/explorer", view="matrix", lecture=1)
    assert_fills(visitor)
    assert is_folded(visitor)

    plot = visitor.page.locator(".st-key-matrix .js-plotly-plot")
    visitor.page.mouse.click(*cell(plot, 3, 2))
    visitor.settle()
    assert "query=4&key=3" in visitor.page.url

    visitor.go_on("/masking", view="paint", lecture=1)
    assert_fills(visitor)
    plot = visitor.page.locator(".st-key-painted .js-plotly-plot")
    for at, place in enumerate([cell(plot, 1, 2), cell(plot, 1, 3), cell(plot, 1, 4)]):
        visitor.page.mouse.move(*place, steps=3)
        if at == 0:
            visitor.page.mouse.down()
    visitor.page.mouse.up()
    visitor.settle()
    allowed = plot.evaluate("(plot) => [...plot._fullData[0].z[1]].map((value) => value === 0)")
    assert allowed == [True] * 5, "all scores of the second word have 0 added"


@pytest.mark.parametrize("viewport", [(1280, 720)])
def test_the_controls_come_by_the_act_and_by_the_edge_and_lead_out(visitor: Visitor) -> None:
    visitor.open("/interaction-distance", view="networks", lecture=1)
    act = "() => document.dispatchEvent(new CustomEvent('act', { detail: 'controls', cancelable: true }))"
    before = measured(visitor)
    assert visitor.page.evaluate(act) is False, "somebody has done it"
    assert not is_folded(visitor)
    assert measured(visitor)["seen"] == before["seen"], "the picture stays where it is"
    visitor.page.evaluate(act)
    assert is_folded(visitor)

    visitor.page.mouse.move(640, 1)
    assert not is_folded(visitor)
    visitor.page.mouse.move(640, 700)
    visitor.page.wait_for_function("() => !document.documentElement.dataset.controls")
    assert is_folded(visitor)

    visitor.page.get_by_role("button", name="Show the controls").press("Enter")
    visitor.click(visitor.page.locator(".st-key-lecture label"))
    assert "lecture" not in visitor.page.url
    assert not is_folded(visitor)
    assert visitor.page.locator(DRAWN).count() == 0


MUST: list[tuple[str, str]] = [
    ("explorer", "matrix"),
    ("explorer", "all heads"),
    ("interaction-distance", "networks"),
    ("masking", "paint"),
    ("architectures", "encoder–decoder"),
    ("translation", "cross-attention"),
    ("gradients", "distance"),
    ("order-invariance", "every setting"),
]
"""What lecturers show most."""


@pytest.mark.long("eight pages of which three above stand for all, at two other sizes of a projector")
@pytest.mark.parametrize(("viewport", "theme"), [((1920, 1080), "dark"), ((853, 480), "light")])
def test_what_lecturers_show_most_fills_every_projector(visitor: Visitor, viewport: tuple[int, int]) -> None:
    for address, view in MUST:
        visitor.go_on(address, view=view, lecture=1)
        assert_fills(visitor, least_type=LEAST_TYPE * viewport[0] / 1280)


def _first_is_plotted(visitor: Visitor) -> bool:
    """Whether the first picture is a figure: there are views without, and drawings of our own."""
    first = visitor.page.locator(DRAWN).first
    return visitor.page.locator(DRAWN).count() > 0 and first.locator(".js-plotly-plot").count() > 0


Shown = tuple[str, dict[str, object], bool]
"""The address of a page, what its link asks for, and whether that is a step of a lecture."""


def shown_in_lectures() -> list[Shown]:
    """Every step of the shipped lectures, and the views that are in none of them as they are at first.

    Those of a real model are the last: whoever goes on from one is told that another page does not have it.
    """
    steps = [parsed(step.link) for deck in shipped().values() for step in deck.steps]
    met = {(address, *asked.get("view", [next(iter(PAGES[address].views))])) for address, asked in steps}
    views = [(address, view) for address, page in PAGES.items() for view in page.views]
    others: list[Shown] = [(*one[:1], {"view": one[1]}, False) for one in views if one not in met]
    given: list[Shown] = [(address, dict(asked), True) for address, asked in steps]
    return sorted([*others, *given], key=lambda one: one[1].get("model") == ["real"])


@pytest.mark.long("every view and every step: what is drawn for a page may not bear another shape")
@pytest.mark.parametrize("viewport", [(1280, 700)], ids=["1280 wide, above the line of the player"])
def test_every_picture_is_in_sight_and_legible(visitor: Visitor) -> None:
    wrong: list[tuple[object, ...]] = []
    for address, asked, is_step in shown_in_lectures():
        visitor.go_on(address, **asked, lecture=1)
        assert visitor.exceptions() == []
        drawn = visitor.page.locator(DRAWN).count() > 0
        notes = visitor.page.get_by_test_id("stAlert").all_inner_texts()
        if is_step and (notes or not drawn):
            wrong.append((address, asked, notes))
        if drawn and _first_is_plotted(visitor):
            found = measured(visitor)
            small = [text for text, size in found["texts"] if size < LEAST_TYPE]
            if found["seen"] < LEAST_SHARE or found["below"] > 1 or small:
                wrong.append((address, asked, found["seen"], found["below"], small))
    assert wrong == []
