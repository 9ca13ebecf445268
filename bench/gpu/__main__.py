"""Check `core` on this machine's GPU, measure its speed, and write a report; on the CPU only check.

`python -m bench.gpu --out bench/reports/gpu.md` takes four minutes at most and needs neither Streamlit nor a
network. It ends with status 1 if a reference fails.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterable
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from platform import python_version
from threading import Lock

os.environ.setdefault("HF_HUB_OFFLINE", "1")  # transformers must not use the network

import torch

from bench.gpu.budget import Budget, end_at_limit
from bench.gpu.checking import Place, Reference, check
from bench.gpu.models import MODELS
from bench.gpu.operations import OPERATIONS
from bench.gpu.report import Report
from bench.gpu.speed import ModelTimings, measure
from bench.gpu.subjects import ONE_BILLION, SEVEN_BILLION, SMOLLM2
from bench.gpu.training import speeds
from core.device import compute_on_one_thread, describe, set_compiler_folder

SUBJECTS = ((SMOLLM2, torch.float32), (SEVEN_BILLION, torch.bfloat16), (ONE_BILLION, torch.bfloat16))
"""Models in the order of measurement, the most important first."""

Note = Callable[[str], None]


def main() -> None:
    """Run all parts within the given seconds."""
    options = _options()
    set_compiler_folder()
    compute_on_one_thread()  # as the app does
    torch.set_float32_matmul_precision("highest")
    torch.backends.cudnn.allow_tf32 = False
    device = torch.device(options.device)
    report = Report(machine=machine(device), expected=sum(len(one.tolerances) for one in REFERENCES))
    budget = Budget(options.seconds)

    writing = Lock()

    def store() -> None:
        if options.out is not None:
            options.out.write_text(report.text(), "utf-8")

    def write() -> None:
        with writing:
            store()

    def last_words() -> None:
        report.lost.append(f"ended at its limit of {options.seconds:.0f} s while something was computing")
        writing.acquire()  # never released: a report written while the process ends would be empty
        store()
        print("\n".join(["ended at its limit", *report.failures]), flush=True)

    end_at_limit(budget, last_words)
    run(report, device, budget, lambda line: print(line, flush=True), write)
    write()
    print("\n".join(report.failures) or "All references agree.", flush=True)
    sys.exit(1 if report.failures else 0)


REFERENCES: tuple[Reference, ...] = (*OPERATIONS, *MODELS)


def run(report: Report, device: torch.device, budget: Budget, note: Note, write: Callable[[], None]) -> None:
    """Fill a report: references first, then speed and training if there is a GPU."""
    check_all(report, REFERENCES, device, budget, note)
    write()
    if device.type != "cuda":
        report.lost.append("speed, memory and training: there is no GPU")
        return
    for shape, dtype in SUBJECTS:
        measured = ModelTimings(shape=shape, dtype=dtype)
        report.measured.append(measured)
        measure(measured, device, budget, report.lost)
        note(f"{budget.left:4.0f} s left: {measured.title}: {len(measured.rows)} rows")
        write()
        if shape is SEVEN_BILLION:  # training takes little time, and has priority over the other sizes
            for speed in speeds(device, budget, report.lost):
                report.speeds.append(speed)
                note(f"{budget.left:4.0f} s left: training {speed}")
            write()


def check_all(
    report: Report, references: Iterable[Reference], device: torch.device, budget: Budget, note: Note
) -> None:
    """Compare every reference in each of its precisions while time is left."""
    for reference in references:
        for dtype in reference.tolerances:
            if budget.left <= 0:
                return
            found = check(reference, Place(device, dtype))
            report.checks.append(found)
            outcome = "agrees" if found.passed else found.skipped or found.problem or "DIFFERS"
            note(f"{budget.left:4.0f} s left: {found.title}: {outcome}")


def machine(device: torch.device) -> list[str]:
    """Return lines on the machine and the versions that a report is about."""
    versions = [f"Python {python_version()}", f"torch {torch.__version__}"]
    has_peer = find_spec("transformers") is not None
    versions.append(f"transformers {version('transformers')}" if has_peer else "no transformers")
    lines = [f"Device: {describe(device)}.", f"Versions: {', '.join(versions)}."]
    if device.type == "cuda":
        total = torch.cuda.get_device_properties(device).total_memory
        lines.append(f"Memory: {total / 2**30:.0f} GB. Products in float32 use no TF32.")
    return lines


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.gpu", description=__doc__)
    parser.add_argument("--seconds", type=float, default=240.0, help="the time that the whole run may take")
    parser.add_argument("--out", type=Path, help="the file for the report")
    best = "cuda" if torch.cuda.is_available() else "cpu"
    parser.add_argument("--device", default=best, help=f"cuda or cpu; here {best} unless given")
    return parser.parse_args()


if __name__ == "__main__":
    main()
