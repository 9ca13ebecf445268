"""A few real browsers among the sessions: how long a person waits for the picture itself."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import cycle

from playwright.sync_api import Browser
from playwright.sync_api import Error as BrowserError

from bench.browser import STOPWATCH, WINDOW
from bench.cases import CHART, choice
from bench.load.address import Address
from tests.browser import chromium
from tests.browser.visitor import Visitor

PRESSED = (
    choice("positions", "alibi"),
    choice("mask", "bidirectional"),
    choice("positions", "rotary"),
    choice("mask", "causal"),
)


class Elsewhere:
    """A server that is there already, as a `Visitor` knows servers: nobody here sees its log."""

    def __init__(self, address: Address) -> None:
        self.address = address.origin

    def log(self) -> str:
        """Nothing: what the server prints is elsewhere."""
        return ""

    def check(self) -> None:
        """Nothing: whoever has started the server looks after it."""


@dataclass
class Pictures:
    """Milliseconds until pictures were drawn: the first of a page, and the one that answers a switch."""

    first: list[float] = field(default_factory=list)
    switched: list[float] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def watch(address: Address, n_browsers: int, *, seconds: float, between: float) -> Pictures:
    """So many visitors press a switch each in turn until the time is over; all in one Chromium."""
    pictures, path = Pictures(), chromium.find()
    if path is None or not n_browsers:
        return pictures
    end = time.perf_counter() + seconds
    with chromium.launched(path) as browser, _visitors(browser, address, n_browsers) as visitors:
        for visitor in visitors:
            _try(pictures, lambda visitor=visitor: pictures.first.append(_first_picture(visitor)))
        for visitor, control in zip(cycle(visitors), _turns(n_browsers), strict=False):
            if time.perf_counter() + between / n_browsers > end:
                break
            time.sleep(between / n_browsers)
            _try(pictures, lambda v=visitor, c=control: pictures.switched.append(_switched_picture(v, c)))
        pictures.problems += [problem for visitor in visitors for problem in visitor.problems]
    return pictures


def requested(address: Address) -> list[str]:
    """The files that a browser fetches on its first visit, as paths; none where there is no Chromium."""
    path, found = chromium.find(), list[str]()
    if path is None:
        return found
    with chromium.launched(path) as browser, _visitors(browser, address, 1) as (visitor,):
        visitor.page.on("request", lambda request: found.append(request.url))
        visitor.open("/")
    files = [url.removeprefix(address.origin) for url in found if url.startswith(address.origin)]
    return [path for path in files if path.startswith("/static/") or path.endswith(".png")]


@contextmanager
def _visitors(browser: Browser, address: Address, n_visitors: int) -> Iterator[list[Visitor]]:
    server = Elsewhere(address)
    visitors = [Visitor(browser, server, theme="light", viewport=WINDOW) for _ in range(n_visitors)]
    for visitor in visitors:
        visitor.context.add_init_script(path=STOPWATCH)
    try:
        yield visitors
    finally:
        for visitor in visitors:
            visitor.leave()


def _turns(n_browsers: int) -> Iterator[str]:
    """What is pressed: every visitor presses all in order, one visitor after the other."""
    for control in cycle(PRESSED):
        yield from (control for _ in range(n_browsers))


def _first_picture(visitor: Visitor) -> float:
    begun = time.perf_counter()
    visitor.page.goto(visitor.server.address)
    visitor.page.locator(f"{CHART} .main-svg").first.wait_for(timeout=60_000)
    milliseconds = 1000 * (time.perf_counter() - begun)
    visitor.settle()
    return milliseconds


def _switched_picture(visitor: Visitor, control: str) -> float:
    visitor.page.bring_to_front()
    target = visitor.page.locator(control).first
    target.hover()
    visitor.page.evaluate("(picture) => stopwatch.start(picture)", CHART)
    visitor.click(target)
    milliseconds = visitor.page.evaluate("() => stopwatch.read()")
    if milliseconds is None:
        raise TimeoutError(f"pressing {control} did not change the picture")
    return float(milliseconds)


def _try(pictures: Pictures, act: object) -> None:
    """What a browser cannot do is a problem to be told, and no reason to lose the measurement."""
    assert callable(act)
    try:
        act()
    except (BrowserError, TimeoutError) as error:
        pictures.problems.append(str(error).splitlines()[0])
