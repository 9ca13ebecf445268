"""The device is the best there is, chosen once, and has a name that a reader knows."""

from collections.abc import Iterator

import pytest
import torch

from core.device import choose_device, describe, synchronise

CPU, CUDA, MPS = (torch.device(kind) for kind in ("cpu", "cuda", "mps"))


@pytest.fixture(autouse=True)
def fresh_choice() -> Iterator[None]:
    choose_device.cache_clear()
    yield
    choose_device.cache_clear()


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


def test_the_choice_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, cuda=False, mps=False)
    assert choose_device() == CPU
    pretend(monkeypatch, cuda=True, mps=True)
    assert choose_device() == CPU


@pytest.mark.parametrize(("threads", "sentence"), [(1, "CPU, 1 thread"), (13, "CPU, 13 threads")])
def test_a_cpu_is_described_by_its_threads(
    monkeypatch: pytest.MonkeyPatch, threads: int, sentence: str
) -> None:
    monkeypatch.setattr(torch, "get_num_threads", lambda: threads)
    assert describe(CPU) == sentence


def test_a_card_is_described_by_its_own_name(monkeypatch: pytest.MonkeyPatch) -> None:
    names = {"cuda": "card in use", "cuda:1": "second card"}
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda device: names[str(device)])
    assert describe(CUDA) == "card in use"
    assert describe(torch.device("cuda", 1)) == "second card"
    assert describe(MPS) == "Apple GPU"


@pytest.mark.parametrize(
    ("device", "expected"), [(CPU, []), (CUDA, [("cuda", CUDA)]), (MPS, [("mps", None)])], ids=str
)
def test_only_a_gpu_is_waited_for(
    monkeypatch: pytest.MonkeyPatch, device: torch.device, expected: list[tuple[str, torch.device | None]]
) -> None:
    waits: list[tuple[str, torch.device | None]] = []
    monkeypatch.setattr(torch.cuda, "synchronize", lambda which: waits.append(("cuda", which)))
    monkeypatch.setattr(torch.mps, "synchronize", lambda: waits.append(("mps", None)))
    synchronise(device)
    assert waits == expected
