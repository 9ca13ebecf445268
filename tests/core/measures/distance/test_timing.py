"""The measurement has the right shape, order and arithmetic; how fast this machine is, no test says."""

from collections.abc import Iterable, Iterator
from itertools import repeat
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from core.measures.distance import timing
from core.measures.distance.timing import WARM_UPS, FusedAttention, Timing, forward_times

CPU, META = torch.device("cpu"), torch.device("meta")
D_MODEL, N_HEADS = 21, 3


class Worker(nn.Module):
    """Stands in for a layer and for the clock: notes each call, and lets time pass as long as it was told."""

    def __init__(self, durations: Iterable[float]) -> None:
        super().__init__()
        self.durations = iter(durations)
        self.now = 0.0
        self.calls: list[tuple[object, ...]] = []

    def forward(self, x: Tensor) -> Tensor:
        self.calls.append((tuple(x.shape), self.training, torch.is_inference_mode_enabled()))
        self.now += next(self.durations)
        return x


def times_of(
    monkeypatch: pytest.MonkeyPatch, worker: Worker, *, device: torch.device = CPU, **options: Any
) -> Iterator[Timing]:
    """Return the rows of a measurement in which the worker is the only network."""
    monkeypatch.setattr(timing, "NETWORKS", {"worker": lambda d_model, n_heads: worker})
    return forward_times(device, d_model=D_MODEL, clock=lambda: worker.now, **options)


def test_every_run_is_one_sentence_in_evaluation_and_inference_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    worker = Worker(repeat(1.0))
    rows = list(times_of(monkeypatch, worker, lengths=(3, 7), most_repeats=2, most_seconds=100))
    runs = WARM_UPS + 2
    assert [row.repeats for row in rows] == [2, 2]
    assert worker.calls[:runs] == [((1, 3, D_MODEL), False, True)] * runs
    assert worker.calls[runs:] == [((1, 7, D_MODEL), False, True)] * runs


def test_seconds_are_median_and_quartiles_of_the_timed_runs_and_warm_ups_do_not_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    worker = Worker([*[0.5] * WARM_UPS, 13.0, 2.0, 3.0, 7.0])
    (row,) = times_of(monkeypatch, worker, lengths=(3,), most_repeats=4, most_seconds=1000)
    assert (row.low, row.seconds, row.high) == (2.75, 5.0, 8.5)


def test_a_point_stops_when_its_time_is_up_but_never_before_one_run(monkeypatch: pytest.MonkeyPatch) -> None:
    for most_seconds, repeats in ((0, 1), (3.5, 2), (6.5, 5), (1000, 7)):
        worker = Worker(repeat(1.0))
        (row,) = times_of(monkeypatch, worker, lengths=(3,), most_repeats=7, most_seconds=most_seconds)
        assert row.repeats == repeats, most_seconds


def test_the_device_is_waited_for_before_every_reading_of_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a GPU a call returns at once and the work is done while we wait: only waiting moves this clock."""
    worker, waits = Worker(repeat(0.0)), list[torch.device]()

    def wait(device: torch.device) -> None:
        waits.append(device)
        worker.now += 3.0

    monkeypatch.setattr(timing, "synchronise", wait)
    (row,) = times_of(monkeypatch, worker, device=META, lengths=(5,), most_repeats=4, most_seconds=1000)
    assert row.seconds == 3.0
    assert waits == [META] * (1 + 4)


def test_fused_attention_is_torchs_own_multi_head_attention() -> None:
    generator = torch.Generator().manual_seed(5)
    ours = FusedAttention(D_MODEL, N_HEADS)
    torchs = nn.MultiheadAttention(D_MODEL, N_HEADS, batch_first=True)
    torchs.load_state_dict(
        {
            "in_proj_weight": ours.qkv.weight,
            "in_proj_bias": ours.qkv.bias,
            "out_proj.weight": ours.out.weight,
            "out_proj.bias": ours.out.bias,
        }
    )
    x = torch.randn(2, 5, D_MODEL, generator=generator)
    torch.testing.assert_close(ours(x), torchs(x, x, x)[0])
