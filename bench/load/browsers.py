"""A few real browsers among the sessions: the time until a person sees the picture."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle

from playwright.sync_api import Browser
from playwright.sync_api import Error as BrowserError

from bench.browser import STOPWATCH, WINDOW, pressed
from bench.cases import CHART, choice
from bench.load.records import Pictures
from bench.load.target import Target
from tests.browser import chromium
from tests.browser.visitor import Visitor

PRESSED = (
    choice("positions", "alibi"),
    choice("mask", "bidirectional"),
    choice("positions", "rotary"),
    choice("mask", "causal"),
)


def watch(target: Target, n_browsers: int, *, seconds: float, between: float) -> Pictures:
    """Let `n_browsers` visitors in one Chromium press a switch in turn until the time is over."""
    pictures, path = Pictures(), chromium.find()
    if path is None or not n_browsers:
        return pictures
    end = time.perf_counter() + seconds
    with chromium.launched(path) as browser, _visitors(browser, target, n_browsers) as visitors:
        for visitor in visitors:
            with _noting(pictures.problems):
                pictures.first.append(_first_picture(visitor))
        for control, visitor in ((control, one) for control in cycle(PRESSED) for one in visitors):
            if time.perf_counter() + between / n_browsers > end:
                break
            time.sleep(between / n_browsers)
            visitor.page.bring_to_front()
            with _noting(pictures.problems):
                pictures.switched.append(pressed(visitor, control, CHART))
        pictures.problems += [problem for visitor in visitors for problem in visitor.problems]
    return pictures


def requested(target: Target) -> list[str]:
    """Return the paths that a browser fetches on its first visit; empty without Chromium."""
    path, found = chromium.find(), list[str]()
    if path is None:
        return found
    with chromium.launched(path) as browser, _visitors(browser, target, 1) as (visitor,):
        visitor.page.on("request", lambda request: found.append(request.url))
        visitor.open("/explorer")
    files = [url.removeprefix(target.address) for url in found if url.startswith(target.address)]
    return [path for path in files if path.startswith("/static/") or path.endswith(".png")]


@contextmanager
def _visitors(browser: Browser, target: Target, n_visitors: int) -> Iterator[list[Visitor]]:
    visitors = [Visitor(browser, target, theme="light", viewport=WINDOW) for _ in range(n_visitors)]
    for visitor in visitors:
        visitor.context.add_init_script(path=STOPWATCH)
    try:
        yield visitors
    finally:
        for visitor in visitors:
            visitor.leave()


def _first_picture(visitor: Visitor) -> float:
    begun = time.perf_counter()
    visitor.page.goto(visitor.server.address)
    visitor.page.locator(f"{CHART} .main-svg").first.wait_for(timeout=60_000)
    milliseconds = 1000 * (time.perf_counter() - begun)
    visitor.settle()
    return milliseconds


@contextmanager
def _noting(problems: list[str]) -> Iterator[None]:
    """Record errors of a browser as problems, so that the measurement goes on."""
    try:
        yield
    except (BrowserError, TimeoutError, RuntimeError) as error:
        problems.append(str(error).splitlines()[0])
