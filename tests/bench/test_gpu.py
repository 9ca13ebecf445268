"""The checks for a GPU run on the CPU too, say what they could not do, and fail if a reference fails."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch import Tensor

from bench.gpu.__main__ import REFERENCES, check_all
from bench.gpu.budget import SPARE, Budget
from bench.gpu.checking import (
    EXACT,
    OPERATION,
    PRECISIONS,
    SINGLE,
    Pairs,
    Place,
    Reference,
    SkippedError,
    check,
    difference,
)
from bench.gpu.models import compare_families, compare_family, compare_training, compare_trainings, folders
from bench.gpu.report import Report
from bench.gpu.speed import EAGER, OURS, QUESTIONS, SDPA, ModelTimings, measure
from bench.gpu.subjects import AGREEMENT, Shape, Subject, build, converted, disagreement
from bench.gpu.training import CONFIG, speeds
from core.learning.collection.members import MEMBERS
from core.learning.training import Recipe
from core.live import Plan
from core.model.config import ModelConfig
from tests.covering import each

pytestmark = pytest.mark.long("the report on a GPU, made on the CPU; core tests these numbers in every run")

CPU = torch.device("cpu")
HERE = Place(CPU, torch.float32)
ROOT = Path(__file__).parents[2]
TINY = Shape(
    name="Tiny",
    vocab_size=37,
    d_model=24,
    n_layers=2,
    n_heads=6,
    n_key_heads=2,
    d_mlp=16,
    tied=True,
)
SLOW = {compare_trainings, compare_families}
"""References that take seconds; parts of them are compared by tests of their own."""


@pytest.mark.parametrize(
    ("reference", "dtype"),
    [(one, dtype) for one in REFERENCES if one.compare not in SLOW for dtype in one.tolerances],
    ids=lambda one: one.name if isinstance(one, Reference) else PRECISIONS[one],
)
def test_a_reference_agrees_on_the_cpu(reference: Reference, dtype: torch.dtype) -> None:
    found = check(reference, Place(CPU, dtype))
    assert found.passed, found


@pytest.mark.parametrize("name", ["gpt2", "llama", "t5"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=PRECISIONS.get)
def test_a_family_agrees_with_transformers(name: str, dtype: torch.dtype) -> None:
    (whole,) = (one for one in REFERENCES if one.compare is compare_families)
    one = replace(whole, compare=lambda place: compare_family(place, folders.CASES[name]))
    found = check(one, Place(CPU, dtype))
    assert found.passed, found
    assert found.n_tensors > folders.LAYERS


@pytest.mark.parametrize("name", ["recall-transformer", "recall-rnn"])
def test_training_is_repeated(name: str) -> None:
    found = check(Reference(name, SINGLE, lambda place: compare_training(place, MEMBERS[name])), HERE)
    assert found.passed, found


def pairs(*values: tuple[float, float]) -> Reference:
    def compare(_: Place) -> Pairs:
        yield from ((torch.tensor([one, 1.0]), torch.tensor([other, 1.0])) for one, other in values)

    return Reference("numbers", OPERATION, compare)


def broken(_: Place) -> Pairs:
    yield torch.ones(2), torch.ones(2)
    raise RuntimeError("CUDA error: misaligned address\nand many more lines")


def empty(_: Place) -> Pairs:
    yield from ()


def lacking(_: Place) -> Pairs:
    yield torch.ones(2), torch.ones(2)
    raise SkippedError("transformers is not installed")


@pytest.mark.parametrize(
    ("reference", "passed", "failed", "said"),
    [
        (pairs((0.5, 0.5)), True, False, "agrees"),
        (pairs((0.5, 0.5), (0.5, 0.6)), False, True, "**failed**: 0.1 is more than 2e-05"),
        (pairs((float("nan"), 0.5)), False, True, "**failed**: inf is more than"),
        (Reference("b", OPERATION, broken), False, True,
         "**failed**: RuntimeError: CUDA error: misaligned address |"),
        (Reference("e", OPERATION, empty), False, True, "**failed**: nothing was compared"),
        (Reference("l", OPERATION, lacking), False, False, "not done: transformers is not installed"),
    ],
)  # fmt: skip
def test_a_reference_passes_fails_or_is_said_to_be_missing(
    reference: Reference, passed: bool, failed: bool, said: str
) -> None:
    found = check(reference, HERE)
    report = Report(machine=["A machine."], expected=1, checks=[found])
    assert (found.passed, found.failed) == (passed, failed)
    assert bool(report.failures) == failed
    assert said in report.text()
    assert f"{int(passed)} of 1 agree." in report.text()


@pytest.mark.parametrize(
    ("actual", "expected", "found"),
    [
        (torch.tensor([3.0, -4.5]), torch.tensor([3.0, -4.0]), 0.125),
        (torch.tensor([0.25]), torch.tensor([0.0]), 0.25),
        (torch.tensor([True, False]), torch.tensor([True, True]), 1.0),
        (torch.tensor([-torch.inf, 1.0]), torch.tensor([-torch.inf, 1.0]), 0.0),
        (torch.tensor([torch.inf, 1.0]), torch.tensor([2.0, 1.0]), float("inf")),
        (torch.tensor([torch.nan]), torch.tensor([torch.nan]), float("inf")),
    ],
)
def test_differences_are_shares_of_the_largest_number(actual: Tensor, expected: Tensor, found: float) -> None:
    assert difference(actual, expected) == found


@each("shape", [(3,), (1, 2), (2, 1), ()])
def test_tensors_of_other_shapes_are_not_compared(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="expected the shape"):
        difference(torch.zeros(shape), torch.zeros(2))


class Clock:
    """A clock that is set by hand."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_the_time_left_ends_before_the_limit() -> None:
    clock = Clock()
    budget = Budget(60, clock=clock)
    assert budget.left == 60 - SPARE
    clock.now += 55
    assert budget.left == 0


def test_references_that_are_not_reached_count_as_failed() -> None:
    clock, lines = Clock(), []
    budget = Budget(SPARE + 1, clock=clock)

    def compare(_: Place) -> Pairs:
        clock.now += 2
        yield torch.ones(1), torch.ones(1)

    references = [Reference("first", EXACT, compare), Reference("second", EXACT, compare)]
    report = Report(machine=[], expected=4)
    check_all(report, references, CPU, budget, lines.append)
    assert [one.passed for one in report.checks] == [True]
    assert report.failures == ["3 references were not reached"]
    assert len(lines) == 1


@each("dtype", [torch.float32, torch.bfloat16])
@each("tied", [True, False])
def test_speed_is_measured_of_models_that_agree(tied: bool, dtype: torch.dtype) -> None:
    measured = ModelTimings(shape=replace(TINY, tied=tied), dtype=dtype)
    lost: list[str] = []
    measure(measured, CPU, Budget(100), lost, lengths=(5,))
    assert lost == []
    assert measured.disagreement is not None
    assert not measured.disagrees
    assert measured.weight_bytes > 0
    assert [row.title for row in measured.rows] == [question.title for question in QUESTIONS]
    assert set(measured.rows[0].seconds) == {OURS, EAGER, SDPA}
    text = Report(machine=[], expected=0, measured=[measured]).text()
    assert f"### Tiny, {PRECISIONS[dtype]}" in text
    assert text.count("| 5 |") == len(QUESTIONS)


def test_models_that_disagree_fail() -> None:
    subject = build(TINY, CPU, torch.float32)
    tokens = torch.arange(11)[None]
    for parameter in subject.theirs.parameters():  # larger scores, so that positions show in the patterns
        parameter.mul_(9)
    assert disagreement(subject, tokens) > AGREEMENT[torch.float32]

    measured = ModelTimings(shape=TINY, dtype=torch.float32, disagreement=0.5)
    report = Report(machine=[], expected=0, measured=[measured])
    assert report.failures == ["Tiny, float32: differs from transformers by 0.5"]
    measured.disagreement = float("nan")
    assert report.failures


def test_queries_and_keys_are_copied_in_our_order() -> None:
    """With weights so large that the order of rotated pairs shows in the patterns."""
    subject = build(TINY, CPU, torch.float32)
    for parameter in subject.theirs.parameters():
        if parameter.ndim == 2:
            parameter.mul_(30)
    again = Subject(converted(subject.theirs, torch.float32), subject.theirs)
    assert disagreement(again, torch.arange(11)[None]) < AGREEMENT[torch.float32]


def test_what_has_no_time_left_is_said() -> None:
    measured = ModelTimings(shape=TINY, dtype=torch.float32)
    report = Report(machine=[], expected=0, measured=[measured], lost=["the rest"])
    measure(measured, CPU, Budget(SPARE), report.lost)
    assert list(speeds(CPU, Budget(SPARE), report.lost)) == []
    text = report.text()
    assert "- Tiny, float32: not begun, 0 s were left" in text
    assert text.count("examples a step: no time was left") == 2
    assert "- the rest" in text
    assert "## Training" not in text
    assert "## Speed" not in text


def test_a_size_that_does_not_fit_is_said_and_others_go_on() -> None:
    measured = ModelTimings(shape=replace(TINY, n_heads=7), dtype=torch.float32)
    lost: list[str] = []
    measure(measured, CPU, Budget(100), lost, lengths=(5,))
    (said,) = lost
    assert "heads" in said or "architecture" in said
    assert measured.rows == []


def test_training_is_measured_as_the_page_begins_it() -> None:
    begun = Plan(architecture=ModelConfig.of_switches(), task_name="next word", recipe=Recipe())
    assert begun.config == CONFIG
    lost: list[str] = []
    found = list(speeds(CPU, Budget(100), lost, steps=2))
    assert (len(found), lost) == (2, [])
    assert all(one.device > 0 for one in found)
    assert "## Training" in Report(machine=[], expected=0, speeds=found).text()


MACHINE_WITHOUT = """
import sys
from importlib.abc import MetaPathFinder

class Absent(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {absent}:
            raise ModuleNotFoundError(f"No module named {{name!r}}")

sys.meta_path.insert(0, Absent())
sys.argv = ["bench.gpu", "--device", "cpu", "--seconds", "0", "--out", {out!r}]
from bench.gpu.__main__ import main
main()
"""
ABSENT = ("streamlit", "plotly", "pandas", "cachetools", "viz", "pages", "figures", "rooms", "attention_lab")
"""Packages that a machine with a GPU may lack, and folders that nothing here needs."""


def test_it_runs_without_the_packages_of_the_app_and_ends_at_its_limit(tmp_path: Path) -> None:
    out = tmp_path / "report.md"
    code = MACHINE_WITHOUT.format(absent=ABSENT, out=str(out))
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert ended.returncode in (1, 3), ended.stderr
    assert "references were not reached" in out.read_text("utf-8")
    assert "references were not reached" in ended.stdout
