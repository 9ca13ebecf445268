"""The device is the best there is, chosen once, and has a name that a reader knows."""

import pytest
import torch

from core import device
from core.device import FULL, LOST, REST_WHEN_FULL, Devices, choose_device, describe, synchronise

CPU, CUDA, MPS = (torch.device(kind) for kind in ("cpu", "cuda", "mps"))


class Clock:
    """A clock that stands still until it is set."""

    now = 11.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """No device is chosen yet, and time passes only when a test says so."""
    clock = Clock()
    monkeypatch.setattr(device, "_devices", Devices(clock=clock))
    return clock


def pretend(monkeypatch: pytest.MonkeyPatch, *, cuda: bool, mps: bool) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)


@pytest.mark.parametrize(
    ("cuda", "mps", "expected"),
    [(True, True, CUDA), (True, False, CUDA), (False, True, MPS), (False, False, CPU)],
)
def test_cuda_comes_before_mps_and_mps_before_the_cpu(
    monkeypatch: pytest.MonkeyPatch, cuda: bool, mps: bool, expected: torch.device
) -> None:
    pretend(monkeypatch, cuda=cuda, mps=mps)
    assert choose_device() == expected
    pretend(monkeypatch, cuda=not cuda, mps=not mps)
    assert choose_device() == expected, "the choice is made once"


IN_GENERAL = torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")
IS_FULL = (IN_GENERAL, RuntimeError("MPS backend out of memory (MPS allocated: 18.13 GB)"))
IS_LOST = (
    torch.AcceleratorError("CUDA error: an illegal memory access was encountered"),
    RuntimeError("cuDNN error: CUDNN_STATUS_EXECUTION_FAILED"),
)


@pytest.mark.parametrize("error", IS_FULL, ids=str)
def test_the_cpu_computes_while_the_memory_of_the_gpu_is_full(
    monkeypatch: pytest.MonkeyPatch, clock: Clock, error: RuntimeError
) -> None:
    pretend(monkeypatch, cuda=True, mps=False)
    assert choose_device() == CUDA
    assert device.why_on_cpu() == ""

    assert device.fall_back_to_cpu(error)
    assert choose_device() == CPU
    assert device.why_on_cpu() == FULL

    clock.now += REST_WHEN_FULL
    assert choose_device() == CUDA
    assert device.why_on_cpu() == ""


@pytest.mark.parametrize("error", IS_LOST, ids=str)
def test_a_gpu_that_is_lost_is_not_tried_again(
    monkeypatch: pytest.MonkeyPatch, clock: Clock, error: RuntimeError
) -> None:
    pretend(monkeypatch, cuda=True, mps=False)
    choose_device()
    assert device.fall_back_to_cpu(error)
    assert device.fall_back_to_cpu(IN_GENERAL), "another thread, which had begun there, gets the same error"

    clock.now += 100 * REST_WHEN_FULL
    assert choose_device() == CPU
    assert device.why_on_cpu() == LOST


def test_no_other_error_is_the_gpus(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, cuda=True, mps=False)
    choose_device()
    others = (RuntimeError("mat1 and mat2 shapes cannot be multiplied"), ValueError("CUDA error: no"))
    assert [device.fall_back_to_cpu(error) for error in others] == [False, False]
    assert choose_device() == CUDA

    pretend(monkeypatch, cuda=False, mps=False)
    monkeypatch.setattr(device, "_devices", Devices())
    choose_device()
    assert not device.fall_back_to_cpu(IN_GENERAL), "there is no GPU that could fail"


def test_a_device_has_a_name_that_a_reader_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    names = {"cuda": "card in use", "cuda:1": "second card"}
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda device: names[str(device)])
    found = [describe(one) for one in (CUDA, torch.device("cuda", 1), MPS)]
    assert found == ["card in use", "second card", "Apple GPU"]
    for threads, said in ((1, "CPU, 1 thread"), (13, "CPU, 13 threads")):
        monkeypatch.setattr(torch, "get_num_threads", lambda threads=threads: threads)
        assert describe(CPU) == said


def test_only_a_gpu_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[object] = []
    monkeypatch.setattr(torch.cuda, "synchronize", waits.append)
    monkeypatch.setattr(torch.mps, "synchronize", lambda: waits.append("mps"))
    for one in (CPU, CUDA, MPS):
        synchronise(one)
    assert waits == [CUDA, "mps"]
