"""The browser draws a figure once, although Streamlit hands it to Plotly twice."""

import pytest

from tests.browser.visitor import Visitor

FIGURES = [("/explorer", "heads"), ("/step-by-step", "soft lookup")]
"""Views with cells, and with figures in columns of a broken number of pixels."""

COUNT = """async () => {
    // What is written before its font is there Plotly draws again.
    await Promise.all([...document.fonts].map((font) => font.load()));
    window.drawings = new Map();
    const drawn = ({ target }) => target.closest(".cartesianlayer")?.closest(".js-plotly-plot");
    new MutationObserver((changes) => {
        for (const figure of new Set(changes.map(drawn)))
            if (figure) drawings.set(figure, (drawings.get(figure) ?? 0) + 1);
    }).observe(document, { attributes: true, subtree: true });
}"""
"""Counts for each figure how often its attributes are set, all at once, as they are when it is drawn."""

READ = "() => [...document.querySelectorAll('.js-plotly-plot')].map((figure) => drawings.get(figure))"


@pytest.mark.long("figures of several views")
def test_a_figure_is_drawn_once(visitor: Visitor) -> None:
    visitor.go_on("/sources")
    visitor.page.evaluate(COUNT)
    for address, view in FIGURES:
        visitor.go_on(address, view=view)
        counts = visitor.page.evaluate(READ)
        assert set(counts) == {1}, f"{view} of {address}: {counts}"
