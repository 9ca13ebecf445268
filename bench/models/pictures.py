"""From weights to the picture of 12 × 12 heads in the browser: ours and BertViz' model_view in turn."""

import json
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Route

from bench.browser import WINDOW, Answers, visiting
from bench.cases import HERE, Case, step
from bench.models import HEADS, LAYERS, peers
from tests.browser.server import serving

WORDS = (14, 32, 64, 128)
MANY_HEADS = HERE / "many_heads.py"
ROUNDS = 2
DRAWN = f"() => document.querySelectorAll('.attn_background').length >= {LAYERS * HEADS}"
"""Condition that BertViz has drawn the background of every head."""

PAINTED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
LONGEST = 600_000


@dataclass
class Picture:
    """Seconds and bytes for one length, ours and theirs."""

    words: int
    ours: list[float] = field(default_factory=list)
    theirs: list[float] = field(default_factory=list)
    our_bytes: int = 0
    their_bytes: int = 0

    @property
    def seconds(self) -> tuple[float, float]:
        """Medians, ours first."""
        return median(self.ours), median(self.theirs) if self.theirs else float("nan")


def measured(browser: Browser, lengths: Sequence[int] = WORDS) -> list[Picture]:
    """Measure every length, ours and theirs in turn."""
    pictures = [Picture(n) for n in lengths]
    with tempfile.TemporaryDirectory() as folder, ExitStack() as started:
        server = started.enter_context(serving(MANY_HEADS))
        # Each press asks for another model, so that its forward pass is measured too.
        cases = [Case(f"{n} words", f"/?words={n}", step("seed"), reads=False) for n in lengths]
        benches = [started.enter_context(visiting(browser, server, case)) for case in cases]
        made = _their_pages(Path(folder), lengths)
        for i in range(1 + ROUNDS):
            for picture, bench in zip(pictures, benches, strict=True):
                answers = Answers()
                bench.visitor.page.bring_to_front()
                bench.press(answers)
                if i:
                    picture.ours.append(answers.milliseconds[0] / 1000)
                    picture.our_bytes = answers.received[0]
                page = Path(folder) / f"{picture.words}.html"
                if i and page.exists():
                    picture.theirs.append(made[str(picture.words)] + _drawn(browser, page))
                    picture.their_bytes = page.stat().st_size
    return pictures


def _their_pages(folder: Path, lengths: Sequence[int]) -> dict[str, float]:
    """Write BertViz' pages; return the seconds for each, empty without its scripts."""
    if not peers.can_draw():
        return {}
    made: dict[str, float] = json.loads(peers.ask("bertviz_pages", str(folder), *map(str, lengths)))
    return made


def _drawn(browser: Browser, path: Path) -> float:
    """Return seconds from opening a page of BertViz to its last head."""
    context = browser.new_context(viewport={"width": WINDOW[0], "height": WINDOW[1]})
    page = context.new_page()
    page.set_default_timeout(LONGEST)
    page.route("**/cdnjs.cloudflare.com/**", _serve)
    begun = time.perf_counter()
    page.goto(path.as_uri())
    page.wait_for_function(DRAWN)
    page.evaluate(PAINTED)
    seconds = time.perf_counter() - begun
    context.close()
    return seconds


def _serve(route: Route) -> None:
    text = peers.script(route.request.url)
    if text is None:
        route.abort()
    else:
        route.fulfill(body=text, content_type="text/javascript")
