"""How figures stand in a window: the sizes that each has had, and how large and legible it is in a hall."""

from typing import Any

from tests.browser.visitor import Visitor

WATCHED = "watched"
"""The cookie that has `boxes.js` note sizes."""

LEAST_SHARE, LEAST_TYPE = 0.75, 17.9
"""The least share of the window's width or height that a picture fills, and the smallest letters in pixels.

Cells are square, so one of the two is enough. The letters are for a window 1280 pixels wide.
"""

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
"""The share of the window that the first group of pictures fills, its overflow, and its smallest type."""


def watch(visitor: Visitor) -> None:
    """Become somebody new, whose pages note the sizes of their figures."""
    visitor.forget()
    visitor.context.add_cookies([{"name": WATCHED, "value": "1", "url": visitor.server.address}])


def boxes(visitor: Visitor) -> dict[str, list[str]]:
    """Return all sizes of each figure since the page was opened; empty without `watch`."""
    there = "[...boxes].filter(([key]) => document.querySelector(`.st-key-${key}`))"
    found: dict[str, list[str]] = visitor.page.evaluate(f"() => Object.fromEntries({there})")
    return found


def measured(visitor: Visitor) -> dict[str, Any]:
    """Return the measures of the first group of pictures."""
    found: dict[str, Any] = visitor.page.locator(DRAWN).first.evaluate(MEASURE)
    return found


def is_plotted(visitor: Visitor) -> bool:
    """Return whether the first picture in a hall is a figure; some views have none, or a script's drawing."""
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
