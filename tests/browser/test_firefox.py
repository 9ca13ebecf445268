"""Firefox shows the app as Chromium does, and Back leads through a visitor's acts there too.

Without Firefox this file is left out, see `conftest.py`.
"""

import json
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest

from tests.browser import firefox
from tests.browser.firefox import Firefox, Point
from tests.browser.plot import PLACE
from tests.browser.server import Server, serving
from tests.browser.test_undo import PICTURES

PAGES = ("/", "/explorer?query=8&key=4", "/step-by-step", "/masking", "/positions")


CUT_OFF = """[...document.querySelectorAll(".katex-html, .stMarkdownEllipsis")].filter((one) => {
    const [frame, said] = [one, one.firstElementChild ?? one].map((part) => part.getBoundingClientRect());
    const isFrame = getComputedStyle(one).overflowX === "hidden";
    return one.checkVisibility() && (isFrame ? said.right > frame.right : one.scrollWidth > one.clientWidth);
}).map((one) => one.textContent)"""
"""Formulas wider than the room they have, and labels that end in dots."""


@pytest.fixture(scope="module")
def app() -> Iterator[Server]:
    with serving() as server:
        yield server


@pytest.fixture
def visitor() -> Iterator[Firefox]:
    """A new Firefox; nothing that it meets may be an error to it."""
    with firefox.launched(firefox.find() or "") as one:
        one.resize(1400, 900)
        yield one
        assert one.problems == []


def named(role: str, name: str) -> str:
    """Return an expression of the page: the element in sight with this role and name."""
    return f"""[...document.querySelectorAll('{role}')].find((one) => one.checkVisibility()
        && (one.ariaLabel || one.innerText).trim() === {json.dumps(name)})"""


def place(visitor: Firefox, figure: str, x: int, y: int) -> Point:
    graph = f"document.querySelector('.st-key-{figure} .js-plotly-plot')"
    visitor.middle(graph)
    left, top = visitor.evaluate(f"({PLACE})({graph}, [{x}, {y}, ''])")
    return left, top


def seen(visitor: Firefox) -> tuple[str, list[str], list[str]]:
    """Return the address, the sentence and the pictures."""
    sentence = "[...document.querySelectorAll('.st-key-text input')].map((box) => box.value)"
    found = visitor.evaluate(f"[location.href, {sentence}, ({PICTURES})()]")
    return found[0], found[1], found[2]


@pytest.mark.long("another browser; Back through all kinds of acts is long in Chromium too")
def test_twenty_acts_and_twenty_times_back_in_firefox(visitor: Firefox, app: Server) -> None:
    def choose(name: str) -> Callable[[], None]:
        return lambda: visitor.click(visitor.middle(named("[role=radio]", name)))

    def press(element: str) -> Callable[[], None]:
        return lambda: visitor.click(visitor.middle(element))

    def cell(x: int, y: int) -> Callable[[], None]:
        return lambda: visitor.click(place(visitor, "matrix", x, y))

    def slide(key: str) -> Callable[[], None]:
        def act() -> None:
            visitor.evaluate("document.querySelector('[role=slider], [type=range]').focus()")
            visitor.press(key)

        return act

    def pick() -> None:
        visitor.click(visitor.middle("document.querySelector('.st-key-layer [role=combobox]')"))
        visitor.click(visitor.middle(named("[role=option]", "2")))

    def write() -> None:
        visitor.evaluate("document.querySelector('.st-key-text input').select()")
        visitor.press(*"hot tea and bread", "Enter")

    def go(group: str, name: str) -> Callable[[], None]:
        def act() -> None:
            visitor.click(visitor.middle(named("[data-testid=stTopNavSection]", group)))
            visitor.click(visitor.middle(named("[data-testid=stTopNavDropdownLink]", name)))

        return act

    def paint() -> None:
        visitor.drag(*(place(visitor, "painted", x, 3) for x in (0, 1, 2)))

    visitor.open(f"{app.address}/explorer?query=8&key=4")
    acts = [
        *map(choose, ("random", "bidirectional", "post", "lines", "matrix")),
        press(named("button", "Zuko made …")),
        *(cell(*at) for at in ((0, 2), (1, 3))),
        *(press(f"document.querySelector('.st-key-{name} label')") for name in ("residual", "scale")),
        write,
        pick,
        *map(choose, ("ALiBi", "compare")),
        go("Mechanism", "Step by step"),
        choose("soft lookup"),
        *map(slide, ("End", "Home")),
        go("Mechanism", "Masking"),
        choose("window"),
        paint,
    ]
    states = [seen(visitor)]
    for act in acts:
        visitor.settle(600)  # acts within half a second on one control are one
        act()
        states.append(seen(visitor))
    addresses = [address for address, *_ in states]
    assert [n for n, (before, after) in enumerate(pairwise(addresses)) if before == after] == []
    for state in reversed(states[:-1]):
        visitor.go(-1)
        assert seen(visitor) == state
    for state in states[1:]:
        visitor.go(1)
        assert seen(visitor) == state


@pytest.mark.long("another browser")
def test_pages_are_drawn_whole_and_without_an_error(visitor: Firefox, app: Server) -> None:
    for page in PAGES:
        visitor.open(f"{app.address}{page}")
        assert visitor.evaluate("document.documentElement.scrollWidth <= innerWidth"), page
        assert visitor.evaluate("document.querySelector('[data-testid=stException]') === null"), page
        assert visitor.evaluate(CUT_OFF) == [], page
