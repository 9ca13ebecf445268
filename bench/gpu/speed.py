"""Forward passes, recordings and a toggle of the explorer, ours and transformers' in turn."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from statistics import median
from time import perf_counter
from typing import Any

import torch
from torch import Tensor

from bench.gpu.budget import Budget
from bench.gpu.checking import PRECISIONS, free, summary
from bench.gpu.subjects import AGREEMENT, Shape, Subject, build, disagreement
from core.arrays import array_of
from core.device import synchronise
from core.model.forward import PATTERNS, forward_pass
from core.model.trace import Trace

LENGTHS = (13, 128, 512, 2048)
"""Numbers of words: a sentence that a visitor types, and longer sentences."""

LONGEST_TOGGLE = 512
"""Greatest number of words for which pages get the patterns of all heads; more would fill a browser."""

ROUNDS, WARM_UPS = 15, 2
LEAST_ROUNDS = 3
SECONDS_A_ROW = 2.0
"""Seconds after which a row takes no more rounds than `LEAST_ROUNDS`."""

SECONDS_A_SUBJECT = 25.0
"""Seconds to build and measure a model; with less time left it does not begin."""

OURS, EAGER, SDPA = "ours", "transformers, eager", "transformers, sdpa"

Run = Callable[[], object]
Task = Callable[[Any, Tensor], object]
"""A task for a model and its tokens."""


@dataclass(frozen=True)
class Question:
    """A task for both sides; transformers does it with each kind of attention in `peers`."""

    title: str
    ours: Task
    theirs: Task
    peers: tuple[str, ...] = (EAGER,)
    longest: int = max(LENGTHS)


@dataclass(frozen=True, kw_only=True)
class Row:
    """Seconds and peak bytes of each run, by name."""

    title: str
    words: int
    seconds: Mapping[str, float]
    bytes: Mapping[str, int]


@dataclass(kw_only=True)
class ModelTimings:
    """All measurements of a model in one precision, filled row by row."""

    shape: Shape
    dtype: torch.dtype
    weight_bytes: int = 0
    disagreement: float | None = None
    rows: list[Row] = field(default_factory=list)

    @property
    def title(self) -> str:
        """Name of the size, and the precision."""
        return f"{self.shape.name}, {PRECISIONS[self.dtype]}"

    @property
    def disagrees(self) -> bool:
        """Whether our results and theirs differ: then their speeds say nothing."""
        return self.disagreement is not None and not self.disagreement <= AGREEMENT[self.dtype]


def _asked(**options: bool) -> Task:
    return lambda model, tokens: model(tokens, use_cache=False, **options)


QUESTIONS = (
    Question("forward, nothing recorded", lambda ours, tokens: ours(tokens), _asked(), (SDPA, EAGER)),
    Question(
        "the patterns of all heads",
        lambda ours, tokens: ours(tokens, trace=Trace(keep=PATTERNS)),
        _asked(output_attentions=True),
    ),
    Question(
        "everything (theirs: patterns and states)",
        lambda ours, tokens: ours(tokens, trace=Trace()),
        _asked(output_attentions=True, output_hidden_states=True),
    ),
    Question(
        "a toggle: the patterns as arrays on the CPU",
        lambda ours, tokens: array_of(forward_pass(ours, tokens, keep=PATTERNS).patterns()[:, 0]),
        lambda theirs, tokens: array_of(
            torch.stack(theirs(tokens, use_cache=False, output_attentions=True).attentions)[:, 0]
        ),
        longest=LONGEST_TOGGLE,
    ),
)


def measure(
    measured: ModelTimings,
    device: torch.device,
    budget: Budget,
    lost: list[str],
    *,
    lengths: Sequence[int] = LENGTHS,
) -> None:
    """Fill in all rows of a model; add to `lost` why a row fails or has no time left."""
    if budget.left < SECONDS_A_SUBJECT:
        lost.append(f"{measured.title}: not begun, {budget.left:.0f} s were left")
        return
    try:
        subject = build(measured.shape, device, measured.dtype)
        parameters = subject.ours.parameters()
        measured.weight_bytes = sum(one.numel() * one.element_size() for one in parameters)
        measured.disagreement = disagreement(subject, tokens_of(subject, 23, device))
    except Exception as error:  # the other models still have to be measured
        lost.append(f"{measured.title}: {summary(error)}")
    else:
        for n, question in product(lengths, QUESTIONS):
            if n > question.longest:
                continue
            name = f"{measured.title}, {n} words, {question.title}"
            if budget.left < SECONDS_A_ROW:
                lost.append(f"{name}: no time was left")
                continue
            try:
                measured.rows.append(_row(subject, question, n, device))
            except (RuntimeError, ValueError) as error:  # full memory raises RuntimeError
                lost.append(f"{name}: {summary(error)}")
            free(device)
        del subject
    free(device)


@torch.inference_mode()
def _row(subject: Subject, question: Question, n: int, device: torch.device) -> Row:
    tokens = tokens_of(subject, n, device)
    runs: dict[str, Run] = {OURS: partial(question.ours, subject.ours, tokens)}
    runs |= {name: partial(question.theirs, subject.theirs, tokens) for name in question.peers}
    seconds = _medians(subject, runs, device)
    peaks = {name: _peak(subject, name, run, device) for name, run in runs.items()}
    return Row(title=question.title, words=n, seconds=seconds, bytes=peaks)


def tokens_of(subject: Subject, n: int, device: torch.device) -> Tensor:
    """Return a sentence of random tokens, the same on every device."""
    generator = torch.Generator().manual_seed(n)
    return torch.randint(subject.ours.config.vocab_size, (1, n), generator=generator).to(device)


def _medians(subject: Subject, runs: Mapping[str, Run], device: torch.device) -> dict[str, float]:
    """Return the median seconds of each run, taken in turn, with an idle device before and after."""
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    begun = perf_counter()
    for i in range(WARM_UPS + ROUNDS):
        if i >= WARM_UPS + LEAST_ROUNDS and perf_counter() - begun > SECONDS_A_ROW:
            break
        for name, run in runs.items():
            _prepare(subject, name)
            synchronise(device)
            start = perf_counter()
            run()
            synchronise(device)
            if i >= WARM_UPS:
                seconds[name].append(perf_counter() - start)
    return {name: median(times) for name, times in seconds.items()}


def _peak(subject: Subject, name: str, run: Run, device: torch.device) -> int:
    """Return the peak bytes of the GPU in a run, with its result; 0 without a GPU."""
    if device.type != "cuda":
        return 0
    _prepare(subject, name)
    free(device)
    torch.cuda.reset_peak_memory_stats(device)
    before = torch.cuda.memory_allocated(device)
    run()
    synchronise(device)
    return torch.cuda.max_memory_allocated(device) - before


def _prepare(subject: Subject, name: str) -> None:
    if name != OURS:
        subject.ask_theirs(name.rpartition(" ")[2])
