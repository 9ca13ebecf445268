"""The machine's best device: CUDA, then MPS, then the CPU. The CPU also replaces a GPU that has failed."""

import os
import re
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

import torch
from torch import nn

F = TypeVar("F", bound=Callable[..., Any])

CPU = torch.device("cpu")

REST_WHEN_FULL = 300.0
"""Seconds for which the CPU computes after the GPU's memory was full. By then it may be free again."""

FULL = "The memory of the GPU is full: for some minutes this server computes on its CPU, more slowly."
LOST = "The GPU does not answer: until it is started again this server computes on its CPU, more slowly."

_FULL = re.compile(r"out of memory")
_LOST = re.compile(r"(CUDA|cuDNN|MPS|HIP)[\w ]* error|CUBLAS_STATUS|CUDNN_STATUS|device-side assert")
"""Error messages of libraries below torch for which torch has no error class."""


class Devices:
    """The device that computes for all threads: the best one, found once, or the CPU while that fails."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, Lock()
        self._best: torch.device | None = None
        self._why, self._until = "", 0.0

    def choose(self) -> torch.device:
        """Return the device that computes now."""
        with self._lock:
            if self._best is None:
                self._best = _best()
            return CPU if self._is_resting() else self._best

    def fall_back(self, error: BaseException) -> bool:
        """Compute on the CPU, as `fall_back_to_cpu` does."""
        is_full = isinstance(error, torch.OutOfMemoryError) or bool(_FULL.search(str(error)))
        is_lost = isinstance(error, torch.AcceleratorError) or bool(_LOST.search(str(error)))
        with self._lock:
            if self._best in (None, CPU) or not isinstance(error, RuntimeError) or not (is_full or is_lost):
                return False
            if not (self._is_resting() and self._why == LOST):
                self._why = FULL if is_full else LOST
                self._until = self._clock() + REST_WHEN_FULL if is_full else float("inf")
            return True

    def why_on_cpu(self) -> str:
        """Return a sentence on what happened to the GPU; empty while it computes or if there is none."""
        with self._lock:
            return self._why if self._is_resting() else ""

    def _is_resting(self) -> bool:
        return bool(self._why) and self._clock() < self._until


_devices = Devices()


def choose_device() -> torch.device:
    """Return the fastest kind of device that works; see `Devices`."""
    return _devices.choose()


def fall_back_to_cpu(error: BaseException) -> bool:
    """Compute on the CPU if an error says that the GPU has failed; return whether it does.

    If the GPU's memory was full, the CPU computes for a while; if the GPU is lost, until a restart.
    """
    return _devices.fall_back(error)


def why_on_cpu() -> str:
    """Return what happened to the GPU, as a sentence for visitors; empty if nothing did."""
    return _devices.why_on_cpu()


def _best() -> torch.device:
    if torch.cuda.is_available():
        return torch.device("cuda")
    return torch.device("mps") if torch.backends.mps.is_available() else CPU


def compute_on_one_thread() -> None:
    """Make torch compute each product on the calling thread, now and on later threads.

    Our models are small: threads that share a product wait longer than they compute.
    """
    torch.set_num_threads(1)


def set_compiler_folder() -> None:
    """Name a folder that exists for torch's compiler: making one fails on a full or read-only disk."""
    os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", str(Path(torch.__file__).parent))


def load_optimisers() -> None:
    """Load the modules that torch loads when the first training begins, which takes a second."""
    set_compiler_folder()
    import_module("torch._dynamo")


def describe(device: torch.device) -> str:
    """Return a readable name of this device: the card's name, or the CPU with its number of threads."""
    if device.type == "cuda":
        return torch.cuda.get_device_name(device)
    if device.type == "mps":
        return "Apple GPU"
    threads = torch.get_num_threads()
    return f"CPU, {threads} thread{'' if threads == 1 else 's'}"


def device_of(model: nn.Module) -> torch.device:
    """Return the device of a model's weights, on which its tokens have to lie too."""
    return next(model.parameters()).device


def synchronise(device: torch.device) -> None:
    """Wait until the device has finished its work; a GPU answers before it has."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    if device.type == "mps":
        torch.mps.synchronize()
