"""Measure the app and print the results as ratios that mean something on any machine.

`python -m bench masking SmolLM2` measures only the cases whose names contain one of these words.
"""

import sys
from statistics import mean, median

import torch
from playwright.sync_api import Browser

from bench.browser import TOGGLES, answers, first_visits
from bench.cases import CASES, FIRST_VISITS, ONE_FIGURE, ONE_SWITCH, SMOLLM2
from bench.gpu.budget import Budget
from bench.gpu.speed import EAGER, OURS, SDPA, ModelTimings, measure
from bench.gpu.subjects import SMOLLM2 as SMOLLM2_SIZE
from tests.browser import chromium


def main() -> None:
    """Run all measurements; browser measurements need a Chromium."""
    path = chromium.find()
    if path is None:
        sys.exit(f"The measurements need one of {', '.join(chromium.NAMES)} on the PATH.")
    if SMOLLM2.lacks:
        print(f"{SMOLLM2.name}: not measured, {SMOLLM2.lacks}", flush=True)
    parts = sys.argv[1:]
    if not parts:
        _print_size_of_smollm2()
    with chromium.launched(path, chromium.UNWATCHED) as browser:
        _print_answers(browser, parts or [""])
        if not parts:
            _print_first_visits(browser)


def _print_size_of_smollm2() -> None:
    """Print passes of a model with SmolLM2's sizes and random weights beside transformers."""
    measured, lost = ModelTimings(shape=SMOLLM2_SIZE, dtype=torch.float32), list[str]()
    measure(measured, torch.device("cpu"), Budget(180), lost, lengths=(13,))
    _headline(f"The size of {SMOLLM2_SIZE.name}, 13 words", "ms", "÷ eager", "÷ sdpa")
    if measured.disagrees:
        lost.append(f"ours and transformers differ by {measured.disagreement:.2g}")
    for row in measured.rows:
        ours = row.seconds[OURS]
        ratios = [f"{ours / row.seconds[one]:.2f}" if one in row.seconds else "–" for one in (EAGER, SDPA)]
        _row(row.title, f"{1000 * ours:.0f}", *ratios)
    for line in lost:
        print(line, flush=True)


def _print_answers(browser: Browser, parts: list[str]) -> None:
    """Print a row for each case when it has been measured, in turn with a figure on an empty page."""
    title = f"From a toggle to the picture, {TOGGLES} of them"
    _headline(title, "ms", "÷ one figure", "server CPU ms", "messages", "bytes received")
    chosen = [case for case in CASES if not case.lacks and any(part in case.name for part in parts)]
    for case, one, beside in answers(browser, chosen, floor=ONE_FIGURE):
        milliseconds, received = median(one.milliseconds), median(one.received)
        worked, messages = f"{mean(one.cpu):.0f}", f"{median(one.messages):.0f}"
        ratio = f"{milliseconds / median(beside.milliseconds):.2f}"
        _row(case.name, f"{milliseconds:.0f}", ratio, worked, messages, f"{received:,.0f}")


def _print_first_visits(browser: Browser) -> None:
    """Print how long a fresh server keeps its first visitor waiting, and the next one."""
    _headline("A fresh server, in seconds", "to its start", "first picture", "÷ one switch", "next visitor")
    seconds = first_visits(browser, [case for case in FIRST_VISITS if not case.lacks])
    for name, (start, first, later) in seconds.items():
        _row(
            name, f"{start:.1f}", f"{first:.1f}", f"{first / seconds[ONE_SWITCH.name][1]:.2f}", f"{later:.1f}"
        )


def _headline(title: str, *columns: str) -> None:
    print()
    _row(title, *columns)


def _row(first: str, *cells: str) -> None:
    print(f"{first:<52}", *(f"{cell:>16}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
