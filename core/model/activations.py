"""Activations: functions that a feed-forward layer applies to each number of its hidden layer."""

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

from torch import Tensor
from torch.nn import functional

ACTIVATIONS: Mapping[str, Callable[[Tensor], Tensor]] = MappingProxyType(
    {
        "relu": functional.relu,
        "gelu": functional.gelu,
        "gelu_tanh": partial(functional.gelu, approximate="tanh"),
        "silu": functional.silu,
    }
)
"""Every activation, by the name that configurations use.

GELU is x · Φ(x), with the distribution function of the standard normal (Hendrycks & Gimpel 2016); with `tanh`
its approximation there, which GPT-2 and BLOOM were trained with. SiLU is x · σ(x).
"""
