"""Waiting times in a lecture: from the key to the final picture of a step that was prepared."""

from dataclasses import dataclass, field

from playwright.sync_api import Browser

from bench.browser import WARM_UPS, WINDOW, Answers, Bench
from bench.cases import ONE_FIGURE
from pages.lecture.deck import Deck, packed
from pages.lecture.step import LectureStep
from tests.browser.server import serving
from tests.browser.visitor import LONGEST, Visitor

NAME = "lecture, the next step"

LINKS = (
    "/explorer?view=heads",
    "/explorer",
    "/masking?view=paint",
    "/interaction-distance",
    "/step-by-step",
    "/positions",
    "/generation",
    "/translation",
    "/gradients?reach=50",
    "/blocks?view=pre+and+post",
    "/heads",
)
"""Pages of every kind, quick and slow."""

PREPARED = "(at) => window.attentionLabPlayer?.frames.made.get(at)?.isReady"

PRESSED = """(at) => {
    window.stepped = new Promise((resolve) => {
        let pressed = 0, changed = 0;
        addEventListener("keydown", () => { pressed = performance.now(); }, { capture: true, once: true });
        const since = () => performance.now() - changed;
        const rest = () => (since() < 500 ? setTimeout(rest, 20) : resolve(changed - pressed));
        const look = () => {
            const { shown } = attentionLabPlayer.frames;
            if (!pressed || shown.at !== at) return setTimeout(look, 2);
            const note = () => { changed = performance.now(); };
            new MutationObserver(note).observe(shown.element.contentDocument,
                { attributes: true, characterData: true, childList: true, subtree: true });
            requestAnimationFrame(() => requestAnimationFrame(() => { note(); rest(); }));
        };
        look();
    });
}"""
"""JavaScript that records milliseconds from the key to the last painted change of the page shown."""


@dataclass
class Steps:
    """Milliseconds from the key to the final picture, and those of the figure measured in turn."""

    milliseconds: list[float] = field(default_factory=list)
    beside: Answers = field(default_factory=Answers)


def steps(browser: Browser) -> Steps:
    """Measure every step of a lecture, each in turn with a figure on an empty page."""
    found = Steps()
    with serving() as server, serving(ONE_FIGURE.script) as other:
        floor = Bench(browser, other, ONE_FIGURE)
        hall = Visitor(browser, server, theme="light", viewport=WINDOW)
        hall.page.goto(
            f"{server.address}/lecture?deck={packed(Deck('Measured', tuple(map(LectureStep, LINKS))))}&step=1"
        )
        for _ in range(WARM_UPS):
            floor.press(Answers())
        for at in range(2, len(LINKS) + 1):
            floor.press(found.beside)
            found.milliseconds.append(_step(hall, at))
        for visitor in (hall, floor.visitor):
            visitor.check()
            visitor.leave()
    return found


def _step(hall: Visitor, at: int) -> float:
    """Return milliseconds from the key for a prepared step to its final picture."""
    hall.page.bring_to_front()
    hall.page.wait_for_function(PREPARED, arg=at, timeout=1000 * LONGEST)
    hall.page.evaluate(PRESSED, at)
    hall.page.keyboard.press("PageDown")
    return float(hall.page.evaluate("() => stepped"))
