"""Measured seconds of one layer: torch's RNN, LSTM and attention as sentences grow."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from time import perf_counter

import numpy as np
import torch
from einops import rearrange
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention

from core.device import synchronise

LENGTHS = (8, 16, 32, 64, 128, 256, 512, 1024, 2048)
WARM_UPS = 2
MOST_REPEATS = 25


@dataclass(frozen=True, kw_only=True)
class Timing:
    """One point of the curve: forward seconds of one layer on one sentence of `words` words."""

    network: str
    words: int
    seconds: float
    """The median over the repeats."""
    low: float
    high: float
    """The quartiles: half of the repeats lie between them."""
    repeats: int


class FusedAttention(nn.Module):
    """Self-attention with its four projections around torch's fused kernel, unmasked.

    Only this compares fairly with an LSTM, which has a fused kernel too.
    """

    def __init__(self, d_model: int, n_heads: int) -> None:
        super().__init__()
        self.n_heads = n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.out = nn.Linear(d_model, d_model)

    def forward(self, x: Float[Tensor, "batch position d_model"]) -> Float[Tensor, "batch position d_model"]:
        heads = "batch position (role head d_head) -> role batch head position d_head"
        q, k, v = rearrange(self.qkv(x), heads, role=3, head=self.n_heads)
        z = scaled_dot_product_attention(q, k, v)
        out: Tensor = self.out(rearrange(z, "batch head position d_head -> batch position (head d_head)"))
        return out


NETWORKS: Mapping[str, Callable[[int, int], nn.Module]] = {
    "RNN": lambda d_model, _: nn.RNN(d_model, d_model, batch_first=True),
    "LSTM": lambda d_model, _: nn.LSTM(d_model, d_model, batch_first=True),
    "self-attention": FusedAttention,
}
"""One layer each, from d_model and n_heads; all map d_model to d_model, projections included."""


def forward_times(
    device: torch.device,
    *,
    d_model: int = 64,
    n_heads: int = 4,
    lengths: Sequence[int] = LENGTHS,
    most_repeats: int = MOST_REPEATS,
    most_seconds: float = 0.5,
    clock: Callable[[], float] = perf_counter,
) -> Iterator[Timing]:
    """Yield a row per length and network when it is measured; the words are random vectors."""
    layers = {name: build(d_model, n_heads).to(device).eval() for name, build in NETWORKS.items()}
    for words in lengths:
        x = torch.randn(1, words, d_model, generator=torch.Generator().manual_seed(words)).to(device)
        for network, layer in layers.items():
            # Default arguments bind this layer, not the last one.
            yield timed(
                lambda layer=layer, x=x: _inferred(layer, x),  # type: ignore[misc]
                network,
                words,
                device,
                most_repeats=most_repeats,
                most_seconds=most_seconds,
                clock=clock,
            )


def timed(
    run: Callable[[], object],
    network: str,
    words: int,
    device: torch.device,
    *,
    most_repeats: int = MOST_REPEATS,
    most_seconds: float = 0.5,
    clock: Callable[[], float] = perf_counter,
) -> Timing:
    """Time `run` on `device` until `most_repeats` runs or `most_seconds`, warm-up included; at least once."""
    begun = clock()
    for _ in range(WARM_UPS):
        run()
    synchronise(device)
    seconds: list[float] = []
    while not seconds or (len(seconds) < most_repeats and clock() - begun < most_seconds):
        start = clock()
        run()
        synchronise(device)
        seconds.append(clock() - start)
    low, high = map(float, np.percentile(seconds, (25, 75)))
    return Timing(
        network=network, words=words, seconds=median(seconds), low=low, high=high, repeats=len(seconds)
    )


# A decorator, not a `with` around the loop above: a generator that pauses inside inference mode would leave
# its reader in inference mode too.
@torch.inference_mode()
def _inferred(layer: nn.Module, x: Float[Tensor, "batch position d_model"]) -> None:
    layer(x)
