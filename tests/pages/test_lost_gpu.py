"""The GPU fails in the middle of a page: the page is computed on the CPU, says so, and loses nothing.

A second name of the CPU stands for the GPU, and every model fails there that is asked to read anything.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn.modules.module import register_module_forward_pre_hook

from core import device
from core.device import FULL, LOST, Devices, choose_device
from core.live import TrainingQueue
from core.live.run import TrainingRun
from core.live.training_queue import GPU_FAILED
from core.pretrained import library
from pages import group_of
from tests.core.live.plans import finished, plan, seen, wait_until
from tests.pages.session import Session
from tests.real import NAME
from tests.views import PAGES

GPU = torch.device("cpu", 0)
IS_FULL = torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")
IS_LOST = torch.AcceleratorError("CUDA error: an illegal memory access was encountered")

VIEWS = {
    group_of(address): (address, name)
    for address, page in reversed(PAGES.items())
    for name, view in list(page.views.items())[:1]
    if view.sentence
}
"""The first view of a page of each group, if it reads a sentence."""
TEXT = "Zuko met Maria and the dog"
SENTENCES = {"text": TEXT, "other": "Maria met Zuko and the dog"}

QUICKER = {"gradients": {"reach": 50}}
"""Parameters that save a page some work on either device."""

Breaking = Callable[[RuntimeError], None]


@pytest.fixture
def breaks(monkeypatch: pytest.MonkeyPatch) -> Iterator[Breaking]:
    """Simulate a GPU on which every model fails with an error."""
    failing: list[RuntimeError] = []

    def fail(module: nn.Module, given: Any) -> None:
        if failing and isinstance(module, nn.Embedding) and choose_device() == GPU:
            raise failing[0]

    handle = register_module_forward_pre_hook(fail)
    monkeypatch.setattr(device, "_best", lambda: GPU)
    monkeypatch.setattr(device, "_devices", Devices())
    yield failing.append
    handle.remove()


@pytest.mark.long("a GPU that fails, on several views")
@pytest.mark.usefixtures("noise_shelf")
@pytest.mark.parametrize(("address", "view"), VIEWS.values())
def test_a_page_is_computed_on_the_cpu_when_the_gpu_fails(address: str, view: str, breaks: Breaking) -> None:
    session = Session(address, view=view, **QUICKER.get(address, {}))
    assert session.warnings == []
    with_gpu = session.pictures
    breaks(IS_FULL)

    session.set(**{name: typed for name, typed in SENTENCES.items() if session.has(name)})

    assert session.warnings in ([], [FULL]), "a view without new computations need not notice"
    assert session.pictures == with_gpu
    assert session.value("text") == TEXT


@pytest.mark.usefixtures("noise_shelf")
def test_the_page_shows_the_results_of_the_cpu_and_the_link_stays(breaks: Breaking) -> None:
    link = {"text": "Maria met Zuko", "heads": "2", "query": "3", "key": "1", "matrix_table": "true"}
    breaks(IS_LOST)
    session = Session(**link)
    assert session.warnings == [LOST]
    assert choose_device() == device.CPU
    assert session.link == link
    other = Session("masking", text="another sentence")
    assert other.warnings == [LOST], "the next visitor gets the note too, and nothing fails again"
    assert other.pictures

    device._devices = Devices()
    device._devices._best = device.CPU
    on_cpu = Session(**link)
    assert on_cpu.warnings == []
    assert session.figure("matrix") == on_cpu.figure("matrix")
    assert session.prose == on_cpu.prose


@pytest.mark.usefixtures("tiny_model")
def test_a_real_model_is_read_again_for_the_cpu(breaks: Breaking) -> None:
    on_gpu = Session(model="real", real=NAME, view="heads", text="the cat")
    breaks(IS_FULL)

    session = Session(model="real", real=NAME, view="heads", text="cat the")

    assert (on_gpu.warnings, session.warnings) == ([], [FULL])
    assert [kept.device for kept in library._kept.values()] == [device.CPU]
    assert session.pictures


@pytest.mark.usefixtures("measured_briefly")
def test_a_training_that_the_gpu_ends_begins_again_on_the_cpu(breaks: Breaking) -> None:
    breaks(IS_FULL)
    queue = TrainingQueue()
    queue.start("me", plan(steps=3))
    failed = wait_until(queue, "me", "failed")
    assert (failed.steps, failed.message) == (0, GPU_FAILED)

    queue.start("me", plan(steps=3))
    assert wait_until(queue, "me", "finished").steps == 3


def lost(run: TrainingRun) -> None:
    raise IS_LOST


@pytest.mark.usefixtures("measured_briefly")
def test_a_model_and_attention_that_were_on_a_lost_gpu_are_missed_with_a_sentence(
    breaks: Breaking, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue = finished(plan(steps=3))
    monkeypatch.setattr(TrainingRun, "copy", lost)
    assert queue.model("me") is None
    assert seen(queue, "me").message == GPU_FAILED
    monkeypatch.setattr(TrainingRun, "catch_up", lost)
    queue = TrainingQueue()
    queue.step("me", plan(steps=200))
    assert wait_until(queue, "me", "failed").message == GPU_FAILED
