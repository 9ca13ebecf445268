"""Forward passes of our modules and their peers in turn: seconds and memory, beside the lower bound.

Runs in the environment of the peers and prints its results as JSON for `bench.models`.
"""

import ctypes
import gc
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import torch
import transformers
from torch import Tensor, nn
from torch.utils.flop_counter import FlopCounterMode
from transformer_lens.model_bridge import TransformerBridge

from bench.models import HEADS, LAYERS, OURS, WIDTH
from bench.processes import status_bytes
from core.device import compute_on_one_thread, describe
from core.model.forward import PATTERNS
from core.model.models import Transformer
from core.model.trace import Trace
from core.pretrained import read

VOCAB, LONGEST = 5003, 1024

ROUNDS = {32: 15, 128: 9, 512: 3, LONGEST: 3}
"""Words, and the number of measurements of each pass after one warm-up."""

PACKAGES = ("torch", "transformers", "transformer-lens", "bertviz")

TOLERANCE = 1e-4

Run = Callable[[Tensor], object]


@dataclass(frozen=True)
class Question:
    """A task for all: ours first, then a peer, by its name."""

    title: str
    ours: Run
    peer: str
    theirs: Run
    keeps: Callable[[int], int]
    """Bytes of the answer for a sentence of a length: the least memory possible."""


def questions() -> tuple[Transformer, list[Question]]:
    """Return our model, and the tasks for it and for theirs."""
    ours, eager, fused, lens = _same_weights()
    return ours, [
        Question(
            "all patterns",
            lambda tokens: ours(tokens, trace=Trace(keep=PATTERNS)),
            "transformers, eager",
            lambda tokens: eager(tokens, output_attentions=True, use_cache=False),
            keeps=lambda n: 4 * LAYERS * HEADS * n * n,
        ),
        Question(
            "everything",
            lambda tokens: ours(tokens, trace=Trace()),
            "TransformerLens, run_with_cache",
            lens.run_with_cache,
            keeps=lambda n: 4 * LAYERS * (2 * HEADS * n * n + 14 * n * WIDTH),
        ),
        Question(
            "nothing captured",
            lambda tokens: ours(tokens),
            "transformers, scaled_dot_product_attention",
            lambda tokens: fused(tokens, use_cache=False),
            keeps=lambda n: 4 * n * VOCAB,
        ),
    ]


def _same_weights() -> tuple[Transformer, nn.Module, nn.Module, TransformerBridge]:
    """Return GPT-2 with random weights: ours, transformers' with both attentions, TransformerLens'."""
    torch.manual_seed(0)
    config = transformers.GPT2Config(
        vocab_size=VOCAB, n_embd=WIDTH, n_layer=LAYERS, n_head=HEADS, n_positions=LONGEST
    )
    eager = transformers.GPT2LMHeadModel._from_config(config, attn_implementation="eager").eval()
    with TemporaryDirectory() as folder:
        eager.save_pretrained(folder)
        ours = read(folder).model
        fused, copy = (
            transformers.GPT2LMHeadModel.from_pretrained(folder, attn_implementation=attention).eval()
            for attention in ("sdpa", "eager")
        )
        lens = TransformerBridge.boot_transformers(folder, hf_model=copy, device="cpu")
    assert isinstance(ours, Transformer)
    _check(ours, eager)
    return ours, eager, fused, lens


@torch.inference_mode()
def _check(ours: Transformer, theirs: nn.Module) -> None:
    """Check that both compute the same; otherwise there is nothing to compare."""
    tokens, trace = tokens_of(23), Trace(keep=PATTERNS)
    logits, expected = ours(tokens, trace=trace), theirs(tokens, output_attentions=True)
    torch.testing.assert_close(logits, expected.logits, rtol=TOLERANCE, atol=TOLERANCE)
    for layer, pattern in enumerate(expected.attentions):
        mine = trace[f"blocks.{layer}.attention.pattern"]
        torch.testing.assert_close(mine, pattern, rtol=TOLERANCE, atol=TOLERANCE)


def tokens_of(n: int) -> Tensor:
    """Return a sentence of random tokens."""
    return torch.randint(VOCAB, (1, n), generator=torch.Generator().manual_seed(n))


@torch.inference_mode()
def measured() -> dict[str, object]:
    """Return all measurements."""
    compute_on_one_thread()
    ours, asked = questions()
    rows = []
    for n, rounds in ROUNDS.items():
        tokens = tokens_of(n)
        floor = operations(ours, tokens) / operations_per_second(n)
        for question in asked:
            runs = {OURS: question.ours, question.peer: question.theirs}
            rows.append(
                {
                    "question": question.title,
                    "words": n,
                    "seconds": _medians(runs, tokens, rounds),
                    "floor_seconds": floor,
                    "bytes": {name: peak_bytes(partial(run, tokens)) for name, run in runs.items()},
                    "floor_bytes": question.keeps(n),
                }
            )
    return {
        "versions": {name: version(name) for name in PACKAGES},
        "device": describe(torch.device("cpu")),
        "rows": rows,
    }


def _medians(runs: Mapping[str, Run], tokens: Tensor, rounds: int) -> dict[str, float]:
    """Return median seconds of processor time for each run, taken in turn; other work does not count."""
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    for i in range(1 + rounds):
        for name, run in runs.items():
            begun = time.process_time()
            run(tokens)
            if i:
                seconds[name].append(time.process_time() - begun)
    return {name: median(times) for name, times in seconds.items()}


@torch.inference_mode(False)
@torch.no_grad()
def operations(model: Transformer, tokens: Tensor) -> int:
    """Return the arithmetic of a pass; the counter does not see into the kernel of an untraced pass."""
    with FlopCounterMode(display=False) as counter:
        model(tokens, trace=Trace())
    return counter.get_total_flops()


def operations_per_second(n: int) -> float:
    """Return the machine's best speed in several products of a feed-forward layer's size."""
    x, weight = torch.randn(n, WIDTH), torch.randn(WIDTH, 4 * WIDTH)
    seconds = []
    for _ in range(9):
        begun = time.process_time()
        for _ in range(max(1, 512 // n)):
            x @ weight
        seconds.append((time.process_time() - begun) / max(1, 512 // n))
    return 2 * n * WIDTH * 4 * WIDTH / min(seconds)


def peak_bytes(run: Callable[[], object]) -> float:
    """Return the peak of additional memory while it ran; NaN if the system does not count it."""
    if not Path("/proc/self/clear_refs").exists():
        return float("nan")
    gc.collect()
    ctypes.CDLL("libc.so.6").malloc_trim(0)
    before = status_bytes("VmRSS")
    Path("/proc/self/clear_refs").write_text("5", "ascii")  # resets the peak
    run()
    return status_bytes("VmHWM") - before


if __name__ == "__main__":
    print(json.dumps(measured()))
