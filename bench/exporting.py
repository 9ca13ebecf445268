"""Whether those who save figures slow down those who look: toggles beside nobody, and beside ten who save."""

import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count, product
from threading import Event, Thread
from urllib.parse import urlencode

from playwright.sync_api import Browser

from bench.browser import TOGGLES, WARM_UPS, Answers, Bench
from bench.cases import CASES
from tests.browser.server import serving
from tests.browser.visitor import LONGEST

NAME = "exporting: a toggle while ten save figures"
MATRIX = next(case for case in CASES if case.name == "explorer, heads")
SAVING = 10
ROUNDS = 3

KINDS = (*product(("svg", "png", "pdf"), ("slide", "acl-column")), ("pptx", "slide"), ("pptx", "half"))
"""The formats and presets that they ask for in turn."""


@dataclass
class Saving:
    """The toggles of one visitor `alone` and `beside` those who save, and the files that these got."""

    alone: Answers = field(default_factory=Answers)
    beside: Answers = field(default_factory=Answers)
    files: int = 0
    refused: int = 0


def exporting(browser: Browser) -> Saving:
    """Toggles of the matrix, by turns with nobody else and while ten visitors save figure after figure."""
    found = Saving()
    with serving() as server:
        bench = Bench(browser, server, MATRIX)
        for _ in range(WARM_UPS):
            bench.press(Answers())
        _save(server.address, 0)  # the browser that draws is warm
        for _ in range(ROUNDS):
            _press(bench, found.alone)
            with _crowd(server.address, found):
                _press(bench, found.beside)
        bench.visitor.check()
        bench.visitor.leave()
    return found


def _press(bench: Bench, answers: Answers) -> None:
    for _ in range(TOGGLES):
        bench.press(answers)


@contextmanager
def _crowd(address: str, found: Saving) -> Iterator[None]:
    """Ten who save, each asking for the next figure as soon as there is one."""
    over = Event()
    numbers = count(1)

    def save() -> None:
        while not over.is_set():
            if _save(address, next(numbers)):
                found.files += 1
            else:
                found.refused += 1
                over.wait(1)

    threads = [Thread(target=save, daemon=True) for _ in range(SAVING)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join(LONGEST)


def _save(address: str, number: int) -> bool:
    """Save a figure that nobody has saved before; returns whether the server made it."""
    kind, preset = KINDS[number % len(KINDS)]
    link = f"/explorer?{urlencode({'view': 'heads', 'text': f'the girl who saw {number} boys smiled'})}"
    query = urlencode({"link": link, "key": "matrix", "format": kind, "preset": preset})
    try:
        with urllib.request.urlopen(f"{address}/figures/file?{query}", timeout=LONGEST) as answer:
            return bool(answer.read())
    except urllib.error.HTTPError:
        return False
