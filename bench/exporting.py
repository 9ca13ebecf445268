"""Effect of saving figures on other visitors: toggles alone, and beside ten visitors who save."""

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
"""Formats and presets that they request in turn."""


@dataclass
class Saving:
    """Toggles of one visitor `alone` and `beside` those who save, and the number of files made."""

    alone: Answers = field(default_factory=Answers)
    beside: Answers = field(default_factory=Answers)
    files: int = 0
    refused: int = 0


def exporting(browser: Browser) -> Saving:
    """Measure toggles of the matrix alone, and while ten visitors save figure after figure, by turns."""
    found = Saving()
    with serving() as server:
        bench = Bench(browser, server, MATRIX)
        for _ in range(WARM_UPS):
            bench.press(Answers())
        _save(server.address, 0)  # warms up the browser that draws
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
    """Keep ten visitors saving figures, one after the other, while the block runs."""
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
    """Save a new figure; return whether the server made it."""
    kind, preset = KINDS[number % len(KINDS)]
    link = f"/explorer?{urlencode({'view': 'heads', 'text': f'the girl who saw {number} boys smiled'})}"
    query = urlencode({"link": link, "key": "matrix", "format": kind, "preset": preset})
    try:
        with urllib.request.urlopen(f"{address}/figures/file?{query}", timeout=LONGEST) as answer:
            return bool(answer.read())
    except urllib.error.HTTPError:
        return False
