"""The report of a run in Markdown."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from bench.gpu.checking import PRECISIONS, Checked
from bench.gpu.speed import EAGER, OURS, SDPA, ModelTimings, Row
from bench.gpu.subjects import AGREEMENT
from bench.gpu.training import Speed
from bench.tables import table

INTRODUCTION = """\
# On a GPU

`python -m bench.gpu --out bench/reports/gpu.md` writes this page: do not edit it.
"""

ABOUT_REFERENCES = """\
## References

Each row compares numbers that `core` computes on the device with a reference on the CPU: torch's operations
and our models in double precision, or transformers in single precision. Weights and inputs are first rounded
to the precision of the row. The difference is the largest over all tensors, divided by the largest number
expected.
"""

ABOUT_SPEED = """\
## Speed and memory of Llama's architecture

Our models and those of transformers have the same random weights and take turns in one run. Times are medians
from an idle device to an idle device. Memory is the peak of a run without the weights, with its result. A
ratio below 1 means that ours is faster or smaller.
"""

ABOUT_TRAINING = """\
## Training

The first model of the page *Training* takes turns on the device and on one thread of the same machine's
processor.
"""


@dataclass(kw_only=True)
class Report:
    """All results of a run so far; `lost` are the parts that it could not take, with the reasons."""

    machine: Sequence[str]
    expected: int
    checks: list[Checked] = field(default_factory=list)
    measured: list[ModelTimings] = field(default_factory=list)
    speeds: list[Speed] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)

    @property
    def failures(self) -> list[str]:
        """A line for each failed or unreached reference, and each disagreeing model."""
        found = [f"{one.title}: {_outcome(one)}" for one in self.checks if one.failed]
        if missing := self.expected - len(self.checks):
            found.append(f"{missing} references were not reached")
        return found + [
            f"{one.title}: differs from transformers by {one.disagreement:.2g}"
            for one in self.measured
            if one.disagrees
        ]

    def text(self) -> str:
        """Return the report in Markdown."""
        passed = sum(one.passed for one in self.checks)
        parts = [INTRODUCTION, "".join(f"- {line}\n" for line in self.machine)]
        if self.failures:
            parts += ["**Failed:**\n", "".join(f"- {line}\n" for line in self.failures)]
        if lost := [f"{one.title}: {one.skipped}" for one in self.checks if one.skipped] + self.lost:
            parts += ["Not done:\n", "".join(f"- {line}\n" for line in lost)]
        parts += [ABOUT_REFERENCES, f"{passed} of {self.expected} agree.\n", _table_of_checks(self.checks)]
        if any(one.rows for one in self.measured):
            parts.append(ABOUT_SPEED)
            parts += [_section(one) for one in self.measured if one.rows]
        if self.speeds:
            parts += [ABOUT_TRAINING, _table_of_speeds(self.speeds)]
        return "\n".join(parts)


def _table_of_checks(checks: Iterable[Checked]) -> str:
    header = ("reference", "precision", "tensors", "largest difference", "allowed", "")
    rows = (
        (
            one.name,
            PRECISIONS[one.dtype],
            str(one.n_tensors),
            f"{one.difference:.1e}" if one.n_tensors else "–",
            f"{one.tolerance:.0e}" if one.tolerance else "0",
            _outcome(one),
        )
        for one in checks
    )
    return table(header, rows)


def _outcome(one: Checked) -> str:
    if one.skipped:
        return f"not done: {one.skipped}"
    if one.problem:
        return f"**failed**: {one.problem}"
    return "agrees" if one.passed else f"**failed**: {one.difference:.2g} is more than {one.tolerance:.2g}"


def _section(one: ModelTimings) -> str:
    said = f"Weights take {_bytes(one.weight_bytes)}. Logits and patterns differ from transformers by "
    said += f"{one.disagreement:.1e} at most ({AGREEMENT[one.dtype]:.0e} allowed)."
    header = ("", "words", "ours", "eager", "sdpa", "ours ÷ eager", "ours ÷ sdpa", "memory", "memory ÷ eager",
              "memory ÷ sdpa")  # fmt: skip
    rows = map(_cells, one.rows)
    return f"### {one.title}\n\n{said}\n\n{table(header, rows)}"


def _cells(row: Row) -> list[str]:
    seconds, peaks = row.seconds, row.bytes
    return [
        row.title,
        str(row.words),
        *(f"{1000 * seconds[name]:.2f} ms" if name in seconds else "–" for name in (OURS, EAGER, SDPA)),
        *(_ratio(seconds[OURS], seconds.get(name, 0)) for name in (EAGER, SDPA)),
        _bytes(peaks[OURS]) if peaks[OURS] else "–",
        *(_ratio(peaks[OURS], peaks.get(name, 0)) for name in (EAGER, SDPA)),
    ]


def _table_of_speeds(speeds: Iterable[Speed]) -> str:
    header = ("examples a step", "steps a second on the device", "on one thread of the CPU", "device ÷ CPU")
    rows = (
        (str(one.batch_size), f"{one.device:.1f}", f"{one.cpu:.1f}", _ratio(one.device, one.cpu))
        for one in speeds
    )
    return table(header, rows)


def _ratio(one: float, other: float) -> str:
    return f"{one / other:.2f}" if other > 0 else "–"


def _bytes(size: float) -> str:
    return f"{size / 2**30:.2f} GB" if size >= 2**30 else f"{size / 2**20:.1f} MB"
