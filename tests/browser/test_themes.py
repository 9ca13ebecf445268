"""Light and dark: figures are drawn on the paper of the page, and follow when it changes.

That every figure has the page's paper is seen where every page is opened, in `test_every_view`.
"""

import pytest

from tests.browser.plot import Plot
from tests.browser.visitor import Visitor

PAPERS = [("light", "rgb(255, 255, 255)"), ("dark", "rgb(15, 20, 25)")]


@pytest.mark.long("a theme that changes while a page is open; figures of both are drawn in every run")
def test_figures_follow_when_the_visitor_changes_the_theme(visitor: Visitor) -> None:
    (_, light), (_, dark) = PAPERS
    visitor.go_on("/masking", text="hot tea")
    assert paper(visitor) == light
    assert Plot(visitor, "painted").paper() == light

    visitor.page.emulate_media(color_scheme="dark")
    visitor.page.wait_for_function(
        """(paper) => {
            const graph = document.querySelector(".st-key-painted .main-svg");
            return graph && getComputedStyle(graph).backgroundColor === paper;
        }""",
        arg=dark,
    )
    visitor.settle()

    assert Plot(visitor, "painted").paper() == dark
    assert paper(visitor) == dark
    visitor.forget()  # the next visitor's system does not ask for it


def paper(visitor: Visitor) -> str:
    """Return the colour behind everything, as the browser computes it."""
    app = visitor.page.get_by_test_id("stApp")
    return str(app.evaluate("(element) => getComputedStyle(element).backgroundColor"))
