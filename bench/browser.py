"""Waiting times of a visitor: from a control to the changed picture, from a start to the first one."""

import base64
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from statistics import median
from urllib.parse import quote_plus

from playwright.sync_api import Browser
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from bench.cases import CHART, SENTENCES, Case
from bench.processes import cpu_milliseconds
from tests.browser.server import Server, serving
from tests.browser.visitor import Visitor

TOGGLES = 9
STARTS = 3
WARM_UPS = 2
WINDOW = (1400, 900)
STOPWATCH = Path(__file__).with_name("stopwatch.js")


@dataclass
class Answers:
    """Measurements of one case, one entry per toggle.

    Milliseconds from releasing the mouse to the last change of the picture; milliseconds of the server's
    processors; and the messages and bytes of the whole answer.
    """

    milliseconds: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    messages: list[int] = field(default_factory=list)
    received: list[int] = field(default_factory=list)


class Bench:
    """A visitor in front of one case, who presses its controls in turn."""

    def __init__(self, browser: Browser, server: Server, case: Case) -> None:
        self._case = case
        self._server = server
        self._controls = cycle(case.controls)
        self._sentences = cycle(SENTENCES)
        self._frames: list[bytes] = []
        self._pictures: set[str] = set()
        self.visitor = Visitor(browser, server, theme="light", viewport=WINDOW)
        self.visitor.context.add_init_script(path=STOPWATCH)
        session = self.visitor.context.new_cdp_session(self.visitor.page)
        session.send("Network.enable")
        session.on("Network.webSocketFrameReceived", lambda event: self._count(event["response"]))
        self.visitor.open(case.link)
        self.visitor.check()

    def press(self, answers: Answers) -> None:
        """Press the next control, wait for the complete answer, and add its measurements to `answers`.

        Streamlit sends messages that the browser already holds by name only, and the server caches results.
        Another sentence before each press, if the page reads one, makes it compute anew.
        """
        self.visitor.page.bring_to_front()
        if self._case.reads:
            self.visitor.page.get_by_label("Sentence", exact=True).fill(next(self._sentences))
            self.visitor.settle()
        self._forget_frames()
        begun = cpu_milliseconds(self._server.process.pid)
        answers.milliseconds.append(pressed(self.visitor, next(self._controls), self._case.picture))
        answers.cpu.append(cpu_milliseconds(self._server.process.pid) - begun)
        answers.messages.append(len(self._frames))
        answers.received.append(sum(map(len, self._frames)))
        if self._forget_frames():
            raise RuntimeError(f"{self._case.name}: pressing the control asked for a picture shown before")

    def _forget_frames(self) -> bool:
        """Clear the recorded frames; return whether the browser knew all pictures in them."""
        n_replayed = n_new = 0
        for frame in self._frames:
            message = ForwardMsg.FromString(frame)
            if message.WhichOneof("type") == "ref_hash":
                n_replayed += message.ref_hash in self._pictures
            elif message.delta.new_element.HasField("plotly_chart"):
                self._pictures.add(message.hash)
                n_new += 1
        self._frames.clear()
        return n_replayed > 0 and n_new == 0

    def _count(self, frame: dict[str, object]) -> None:
        payload = str(frame["payloadData"])
        is_text = frame["opcode"] == 1
        self._frames.append(payload.encode() if is_text else base64.b64decode(payload))


def pressed(visitor: Visitor, control: str, picture: str) -> float:
    """Return milliseconds from a press to the last change of the picture; raises RuntimeError without one."""
    target = visitor.page.locator(control).first
    target.hover()  # so that the mouse movement is not measured
    visitor.page.evaluate("(picture) => stopwatch.start(picture)", picture)
    visitor.click(target)
    milliseconds = visitor.page.evaluate("() => stopwatch.read()")
    if milliseconds is None:
        raise RuntimeError(f"{visitor.page.url}: pressing {control} did not change {picture}")
    return float(milliseconds)


def answers(
    browser: Browser, cases: Sequence[Case], *, floor: Case
) -> Iterator[tuple[Case, Answers, Answers]]:
    """Press every case `TOGGLES` times in turn with the floor; yield its answers and the floor's.

    They come one after the other, as they are measured.
    """
    with ExitStack() as started:
        scripts = {case.script for case in (floor, *cases)}
        servers = {script: started.enter_context(serving(script)) for script in scripts}
        lowest = started.enter_context(visiting(browser, servers[floor.script], floor))
        for case in cases:
            measured, beside = Answers(), Answers()
            with visiting(browser, servers[case.script], case) as bench:
                for i in range(WARM_UPS + TOGGLES):
                    lowest.press(beside if i >= WARM_UPS else Answers())
                    bench.press(measured if i >= WARM_UPS else Answers())
            yield case, measured, beside


@contextmanager
def visiting(browser: Browser, server: Server, case: Case) -> Iterator[Bench]:
    """Yield a visitor in front of a case, and check the page at the end."""
    bench = Bench(browser, server, case)
    yield bench
    bench.visitor.check()
    bench.visitor.leave()


def first_visits(browser: Browser, cases: Sequence[Case]) -> dict[str, tuple[float, ...]]:
    """Return median seconds by case: to start a server, to its first picture, to one of the next visitor."""
    seconds: dict[str, list[tuple[float, ...]]] = {case.name: [] for case in cases}
    for at in range(STARTS):
        for case in cases:
            begun = time.perf_counter()
            with serving(case.script) as server:
                started = time.perf_counter() - begun
                other = f"{case.link}{'&' if '?' in case.link else '?'}text={quote_plus(SENTENCES[at])}"
                visits = [_until_picture(browser, server, case, link) for link in (case.link, other)]
            seconds[case.name].append((started, *visits))
    return {name: tuple(map(median, zip(*rows, strict=True))) for name, rows in seconds.items()}


def _until_picture(browser: Browser, server: Server, case: Case, link: str) -> float:
    """Return seconds from requesting a link to the picture of the case."""
    visitor = Visitor(browser, server, theme="light", viewport=WINDOW)
    begun = time.perf_counter()
    visitor.page.goto(f"{server.address}{link}")
    visitor.page.locator(case.picture).first.wait_for()
    if case.picture == CHART:
        visitor.page.locator(f"{CHART} .main-svg").first.wait_for()
    seconds = time.perf_counter() - begun
    visitor.leave()
    return seconds
