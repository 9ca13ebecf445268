"""How long a visitor waits: from a pressed control to the changed picture, from a start to the first."""

import base64
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser

from bench.cases import Case
from tests.browser.server import Server, serving
from tests.browser.visitor import Visitor

TOGGLES = 9
STARTS = 3
WARM_UPS = 2
WINDOW = (1400, 900)
STOPWATCH = Path(__file__).with_name("stopwatch.js")


@dataclass
class Answers:
    """What was measured of one case, once per toggle.

    Milliseconds from letting go of the mouse to the last change of the picture, and the bytes that the
    whole answer took.
    """

    milliseconds: list[float] = field(default_factory=list)
    received: list[int] = field(default_factory=list)


class Bench:
    """A visitor in front of one case, who presses its controls in turn."""

    def __init__(self, browser: Browser, server: Server, case: Case) -> None:
        self._case = case
        self._controls = cycle(case.controls)
        self._received = 0
        self.visitor = Visitor(browser, server, theme="light", viewport=WINDOW)
        self.visitor.context.add_init_script(path=STOPWATCH)
        self._listen()
        self.visitor.open(case.path, **case.query)
        self.visitor.check()

    def press(self, answers: Answers) -> None:
        """Press the next control, wait for all of its answer, and add what was measured to `answers`."""
        page = self.visitor.page
        control = page.locator(next(self._controls)).first
        control.hover()  # so that the way of the mouse is not measured
        self._received = 0
        page.evaluate("(picture) => stopwatch.start(picture)", self._case.picture)
        self.visitor.click(control)
        milliseconds = page.evaluate("() => stopwatch.read()")
        if milliseconds is None:
            raise RuntimeError(f"{self._case.name}: pressing the control did not change {self._case.picture}")
        answers.milliseconds.append(milliseconds)
        answers.received.append(self._received)

    def _listen(self) -> None:
        session = self.visitor.context.new_cdp_session(self.visitor.page)
        session.send("Network.enable")
        session.on("Network.webSocketFrameReceived", lambda event: self._count(event["response"]))

    def _count(self, frame: dict[str, object]) -> None:
        payload = str(frame["payloadData"])
        is_text = frame["opcode"] == 1
        self._received += len(payload.encode() if is_text else base64.b64decode(payload))


def answers(browser: Browser, cases: Sequence[Case]) -> dict[str, Answers]:
    """Every case pressed `TOGGLES` times, all cases in turn, by the name of the case."""
    measured = {case.name: Answers() for case in cases}
    with _benches(browser, cases) as benches:
        for i in range(WARM_UPS + TOGGLES):
            for name, bench in benches.items():
                bench.visitor.page.bring_to_front()
                bench.press(measured[name] if i >= WARM_UPS else Answers())
    return measured


@contextmanager
def _benches(browser: Browser, cases: Sequence[Case]) -> Iterator[dict[str, Bench]]:
    """A bench for each case; cases of one script share its server."""
    with ExitStack() as started:
        servers = {
            script: started.enter_context(serving(script)) for script in {case.script for case in cases}
        }
        benches = {case.name: Bench(browser, servers[case.script], case) for case in cases}
        yield benches
        for bench in benches.values():
            bench.visitor.check()
            bench.visitor.leave()


def first_pictures(browser: Browser, cases: Sequence[Case]) -> dict[str, float]:
    """Median seconds from starting a server to the first picture, all cases in turn, by name."""
    seconds: dict[str, list[float]] = {case.name: [] for case in cases}
    for _ in range(STARTS):
        for case in cases:
            seconds[case.name].append(_first_picture(browser, case))
    return {name: median(times) for name, times in seconds.items()}


def _first_picture(browser: Browser, case: Case) -> float:
    begun = time.perf_counter()
    with serving(case.script) as server:
        visitor = Visitor(browser, server, theme="light", viewport=WINDOW)
        visitor.page.goto(server.address + case.path)
        visitor.page.locator(case.picture).first.wait_for()
        if "stPlotlyChart" in case.picture:
            visitor.page.locator(f"{case.picture} .main-svg").first.wait_for()
        seconds = time.perf_counter() - begun
        visitor.leave()
    return seconds
