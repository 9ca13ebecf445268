"""The machine's best device, chosen once: CUDA, then MPS, then the CPU."""

from functools import cache

import torch
from torch import nn


@cache
def choose_device() -> torch.device:
    """The fastest kind of device that is there; the answer is kept for as long as the program runs."""
    if torch.cuda.is_available():
        return torch.device("cuda")
    if torch.backends.mps.is_available():
        return torch.device("mps")
    return torch.device("cpu")


def compute_on_one_thread() -> None:
    """Have torch compute each product on the thread that asks for it, now and on threads begun later.

    Our models are small: threads that share a product of some thousand numbers wait for each other longer
    than they compute, and wait by running. Beside other work on the machine, a visitor's click then keeps
    its processors busy for five to ten times as long. Visitors and trainings have threads of their own, so
    several processors are put to use all the same.
    """
    torch.set_num_threads(1)


def describe(device: torch.device) -> str:
    """What a reader calls this device: a card by its name, a CPU with the threads it may use."""
    if device.type == "cuda":
        return torch.cuda.get_device_name(device)
    if device.type == "mps":
        return "Apple GPU"
    threads = torch.get_num_threads()
    return f"CPU, {threads} thread{'' if threads == 1 else 's'}"


def device_of(model: nn.Module) -> torch.device:
    """Where the weights of a model lie: its tokens have to lie there too."""
    return next(model.parameters()).device


def synchronise(device: torch.device) -> None:
    """Wait until the device has done what it was asked to; a GPU answers before it has finished."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    if device.type == "mps":
        torch.mps.synchronize()
