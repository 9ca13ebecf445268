"""Forward passes of our modules and their peers in turn: seconds and memory, beside the lower bound.

Runs in the environment of the peers and prints its results as JSON for `bench.models`.
"""

import ctypes
import gc
import json
import time
from collections.abc import Callable, Mapping
from functools import partial
from importlib.metadata import version
from pathlib import Path
from statistics import median

import torch
from torch import Tensor

from bench.models import OURS, WIDTH
from bench.models.subjects import LONGEST, Run, questions, tokens_of
from bench.operations import transformer_operations
from core.device import compute_on_one_thread, describe

ROUNDS = {32: 15, 128: 9, 512: 3, LONGEST: 3}
"""Words, and the number of measurements of each pass after one warm-up."""

PACKAGES = ("torch", "transformers", "transformer-lens", "bertviz")


@torch.inference_mode()
def measured() -> dict[str, object]:
    """Return all measurements."""
    compute_on_one_thread()
    ours, asked = questions()
    rows = []
    for n, rounds in ROUNDS.items():
        tokens = tokens_of(n)
        operations = sum(transformer_operations(ours.config, n).values())
        speed = operations_per_second(n)
        for question in asked:
            runs = {OURS: question.ours, **question.peers}
            rows.append(
                {
                    "question": question.title,
                    "words": n,
                    "aim": question.aim,
                    "seconds": _medians(runs, tokens, rounds),
                    "floor_seconds": operations / speed,
                    "bytes": {name: peak_bytes(partial(run, tokens)) for name, run in runs.items()},
                    "floor_bytes": question.keeps(n),
                }
            )
    return {
        "versions": {name: version(name) for name in PACKAGES},
        "device": describe(torch.device("cpu")),
        "rows": rows,
    }


def _medians(runs: Mapping[str, Run], tokens: Tensor, rounds: int) -> dict[str, float]:
    """Return median seconds of processor time for each run, taken in turn; other work does not count."""
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    for i in range(1 + rounds):
        for name, run in runs.items():
            begun = time.process_time()
            run(tokens)
            if i:
                seconds[name].append(time.process_time() - begun)
    return {name: median(times) for name, times in seconds.items()}


def operations_per_second(n: int) -> float:
    """Return the machine's best speed in several products of a feed-forward layer's size."""
    x, weight = torch.randn(n, WIDTH), torch.randn(WIDTH, 4 * WIDTH)
    seconds = []
    for _ in range(9):
        begun = time.process_time()
        for _ in range(max(1, 512 // n)):
            x @ weight
        seconds.append((time.process_time() - begun) / max(1, 512 // n))
    return 2 * n * WIDTH * 4 * WIDTH / min(seconds)


def peak_bytes(run: Callable[[], object]) -> float:
    """Return the peak of additional memory while it ran; NaN if the system does not count it."""
    if not Path("/proc/self/clear_refs").exists():
        return float("nan")
    gc.collect()
    ctypes.CDLL("libc.so.6").malloc_trim(0)
    before = _status("VmRSS")
    Path("/proc/self/clear_refs").write_text("5", "ascii")  # resets the peak
    run()
    return _status("VmHWM") - before


def _status(field: str) -> int:
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{field}:"))


if __name__ == "__main__":
    print(json.dumps(measured()))
