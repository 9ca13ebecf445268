"""Measure the app and print the results as ratios that mean something on any machine.

`python -m bench matrix SmolLM2` measures only the answers of the cases whose names have one of these in them.
"""

import sys
from collections.abc import Iterable, Mapping, Sequence
from statistics import mean, median

import torch

from bench.browser import TOGGLES, Answers, after_loading, answers, first_pictures, first_visits
from bench.cases import CASES, FIRST_VISITS, FLOORS, ONE_FIGURE, ONE_SWITCH, SMOLLM2, Case
from bench.decoding import WORDS, decoding_seconds
from bench.exporting import NAME as EXPORTING
from bench.exporting import Saving, exporting
from bench.forward import SIZES, forward_seconds
from bench.gpu.budget import Budget
from bench.gpu.speed import EAGER, OURS, SDPA, ModelTimings, measure
from bench.gpu.subjects import SMOLLM2 as SMOLLM2_SIZE
from bench.lecture import NAME, Steps, steps
from bench.training import examples_per_second
from tests.browser import chromium


def main() -> None:
    """Run all measurements; browser measurements need a Chromium."""
    path = chromium.find()
    if path is None:
        sys.exit(f"The measurements need one of {', '.join(chromium.NAMES)} on the PATH.")
    asked = sys.argv[1:]
    if asked:
        with chromium.launched(path, chromium.UNWATCHED) as browser:
            chosen = _there([case for case in CASES if any(part in case.name for part in asked)])
            if chosen:
                _print_answers(answers(browser, chosen, floor=ONE_FIGURE))
            if SMOLLM2 in chosen:
                _print_loading(*after_loading(browser, SMOLLM2))
            if any(part in NAME for part in asked):
                _print_steps(steps(browser))
            if any(part in EXPORTING for part in asked):
                _print_exporting(exporting(browser))
        return
    _print_forward_passes()
    _print_size_of_smollm2()
    _print_training()
    _print_decoding()
    with chromium.launched(path, chromium.UNWATCHED) as browser:
        _print_answers(answers(browser, [*FLOORS, *_there(CASES)], floor=ONE_FIGURE))
        if not SMOLLM2.lacks:
            _print_loading(*after_loading(browser, SMOLLM2))
        _print_steps(steps(browser))
        _print_exporting(exporting(browser))
        _print_first_visits(first_visits(browser, FIRST_VISITS))
        _print_starts(first_pictures(browser, [ONE_SWITCH, CASES[0]]))


def _there(cases: Sequence[Case]) -> list[Case]:
    """Return the cases that can be measured here, and print why others cannot."""
    for case in cases:
        if case.lacks:
            print(f"{case.name}: not measured, {case.lacks}", flush=True)
    return [case for case in cases if not case.lacks]


def _print_forward_passes() -> None:
    _headline("One forward pass", "ms", "traced ÷ untraced", "traced ÷ torch")
    for name, (config, n_words) in SIZES.items():
        seconds = forward_seconds(config, n_words)
        traced, untraced, torchs = (seconds[run] for run in ("traced", "untraced", "torch"))
        _row(name, f"{1000 * traced:.1f}", f"{traced / untraced:.2f}", f"{traced / torchs:.2f}")


def _print_size_of_smollm2() -> None:
    """Print passes of a model with SmolLM2's sizes and random weights beside transformers."""
    measured = ModelTimings(shape=SMOLLM2_SIZE, dtype=torch.float32)
    measure(measured, torch.device("cpu"), Budget(60), lengths=(13,))
    _headline(f"The size of {SMOLLM2_SIZE.name}, 13 words", "ms", "÷ eager", "÷ sdpa")
    if measured.lost or measured.disagrees:
        print(measured.lost or f"ours and transformers differ by {measured.disagreement:.2g}", flush=True)
    for row in measured.rows:
        if row.lost:
            _row(row.title, row.lost)
            continue
        ours = row.seconds[OURS]
        ratios = [f"{ours / row.seconds[one]:.2f}" if one in row.seconds else "–" for one in (EAGER, SDPA)]
        _row(row.title, f"{1000 * ours:.0f}", *ratios)


def _print_training() -> None:
    _headline("Training on the language", "examples / s", "÷ torch")
    speeds = examples_per_second()
    ours, torchs = speeds["ours"], speeds["torch"]
    _row("next word, as in the collection", f"{ours:.0f}", f"{ours / torchs:.2f}")


def _print_decoding() -> None:
    _headline("A translation, written word by word", "ms", "cached ÷ anew")
    for n_words in WORDS:
        seconds = decoding_seconds(n_words)
        cached, anew = seconds["cached"], seconds["anew"]
        _row(f"{n_words} words", f"{1000 * cached:.0f}", f"{cached / anew:.2f}")


def _print_answers(measured: Iterable[tuple[Case, Answers, Answers]]) -> None:
    """Print a row for each case when it has been measured, in turn with a figure on an empty page."""
    title = f"From a toggle to the picture, {TOGGLES} of them"
    _headline(title, "ms", "÷ one figure", "server CPU ms", "messages", "bytes received")
    for case, one, beside in measured:
        milliseconds, received = median(one.milliseconds), median(one.received)
        worked, messages = f"{mean(one.cpu):.0f}", f"{median(one.messages):.0f}"
        ratio = f"{milliseconds / median(beside.milliseconds):.2f}"
        _row(case.name, f"{milliseconds:.0f}", ratio, worked, messages, f"{received:,.0f}")


def _print_steps(measured: Steps) -> None:
    """Print one row: the steps of a lecture are all of one kind, whatever they show."""
    title = f"From the key to the picture made ready, {len(measured.milliseconds)} steps"
    _headline(title, "ms", "÷ one figure", "slowest ms")
    one = median(measured.milliseconds)
    ratio = f"{one / median(measured.beside.milliseconds):.2f}"
    _row(NAME, f"{one:.0f}", ratio, f"{max(measured.milliseconds):.0f}")


def _print_exporting(measured: Saving) -> None:
    alone, beside = median(measured.alone.milliseconds), median(measured.beside.milliseconds)
    _headline("A toggle of the matrix", "ms alone", "ms beside", "÷ alone", "files", "refused")
    cells = f"{alone:.0f}", f"{beside:.0f}", f"{beside / alone:.2f}", str(measured.files)
    _row(EXPORTING, *cells, str(measured.refused))


def _print_loading(fresh: float, loaded: float) -> None:
    """Print how long SmolLM2 keeps its first visitor waiting, and the next one."""
    _headline(f"From opening {SMOLLM2.name} to the picture", "s")
    _row("on a fresh server, which loads the model", f"{fresh:.1f}")
    _row("once the model is loaded, another sentence", f"{loaded:.1f}")


def _print_first_visits(seconds: Mapping[str, float]) -> None:
    _headline("From opening a page nobody has seen to its picture", "s", "÷ one switch")
    for name, one in seconds.items():
        _row(name, f"{one:.1f}", f"{one / seconds[ONE_SWITCH.name]:.2f}")


def _print_starts(seconds: Mapping[str, float]) -> None:
    _headline("From starting the server to the first picture", "s", "÷ one switch")
    for name, one in seconds.items():
        _row(name, f"{one:.1f}", f"{one / seconds[ONE_SWITCH.name]:.2f}")


def _headline(title: str, *columns: str) -> None:
    print()
    _row(title, *columns)


def _row(first: str, *cells: str) -> None:
    print(f"{first:<52}", *(f"{cell:>16}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
