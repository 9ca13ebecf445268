"""How figures stand in a window: the sizes that each has had, and how large and legible it is in a hall."""

from typing import Any

from tests.browser.visitor import Visitor

WATCHED = "watched"
"""The cookie that has `boxes.js` note sizes."""

LEAST_SHARE, LEAST_TYPE = 0.75, 17.9
"""What a picture takes of the width or the height of the window, for cells are square, and pixels of its
smallest letters where that is 1280 wide."""

DRAWN = "[class*=st-key-large_panels]"
"""The pictures of a page that is shown in a hall."""

MEASURE = """(group) => {
    const plots = [...group.querySelectorAll(".js-plotly-plot")];
    const boxes = plots.map((plot) => plot.getBoundingClientRect());
    const edge = (name, choose) => choose(...boxes.map((box) => box[name]));
    const width = edge("right", Math.max) - edge("left", Math.min);
    const top = edge("top", Math.min), bottom = edge("bottom", Math.max);
    const seen = Math.max(width / innerWidth, (Math.min(bottom, innerHeight) - top) / innerHeight);
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


def watch(visitor: Visitor) -> None:
    """Become somebody new, whose pages note the sizes of their figures."""
    visitor.forget()
    visitor.context.add_cookies([{"name": WATCHED, "value": "1", "url": visitor.server.address}])


def boxes(visitor: Visitor) -> dict[str, list[str]]:
    """The sizes that each figure on the page has had since it was opened; none where nobody has watched."""
    there = "[...boxes].filter(([key]) => document.querySelector(`.st-key-${key}`))"
    found: dict[str, list[str]] = visitor.page.evaluate(f"() => Object.fromEntries({there})")
    return found


def measured(visitor: Visitor) -> dict[str, Any]:
    """What the first group of pictures takes of the window."""
    found: dict[str, Any] = visitor.page.locator(DRAWN).first.evaluate(MEASURE)
    return found


def is_plotted(visitor: Visitor) -> bool:
    """Whether the first picture in a hall is a figure: some views have none, or a drawing of our own."""
    return visitor.page.locator(DRAWN).first.locator(".js-plotly-plot").count() > 0


def assert_fills(visitor: Visitor) -> None:
    """The picture takes the window, is in sight, and its words are large, whole and apart from others."""
    found, where = measured(visitor), visitor.page.url
    width = visitor.page.evaluate("innerWidth")
    least = LEAST_TYPE * width / 1280
    assert found["seen"] >= LEAST_SHARE, where
    assert found["below"] <= 1, where
    assert [(text, size) for text, size in found["texts"] if size < least] == [], where
    assert visitor.illegible() == [], where
    assert found["wider"] <= 0, where
