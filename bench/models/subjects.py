"""The compared models: one set of random weights in our modules and in theirs."""

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch
import transformers
from torch import Tensor, nn
from transformer_lens.model_bridge import TransformerBridge

from bench.models import HEADS, LAYERS, WIDTH
from core.model.forward import PATTERNS
from core.model.models import Transformer
from core.model.trace import Trace
from core.pretrained import read

VOCAB, LONGEST = 5003, 1024

TOLERANCE = 1e-4

Run = Callable[[Tensor], object]


@dataclass(frozen=True)
class Question:
    """A task for all: ours first, then the peers, by name. Ours should take `aim` times theirs."""

    title: str
    ours: Run
    peers: Mapping[str, Run]
    aim: float
    keeps: Callable[[int], int]
    """Bytes of the answer for a sentence of a length: the least memory possible."""


def questions() -> tuple[Transformer, list[Question]]:
    """Return our model, and the tasks for it and for theirs."""
    ours, eager, fused, lens = _same_weights()
    return ours, [
        Question(
            "all patterns",
            lambda tokens: ours(tokens, trace=Trace(keep=PATTERNS)),
            {"transformers, eager": lambda tokens: eager(tokens, output_attentions=True, use_cache=False)},
            aim=1.0,
            keeps=lambda n: 4 * LAYERS * HEADS * n * n,
        ),
        Question(
            "everything",
            lambda tokens: ours(tokens, trace=Trace()),
            {"TransformerLens, run_with_cache": lens.run_with_cache},
            aim=0.5,
            keeps=lambda n: 4 * LAYERS * (2 * HEADS * n * n + 14 * n * WIDTH),
        ),
        Question(
            "nothing captured",
            lambda tokens: ours(tokens),
            {"transformers, scaled_dot_product_attention": lambda tokens: fused(tokens, use_cache=False)},
            aim=1.1,
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
    with tempfile.TemporaryDirectory() as folder:
        eager.save_pretrained(folder)
        ours = read(folder).model
        fused = transformers.GPT2LMHeadModel.from_pretrained(folder, attn_implementation="sdpa").eval()
        copy = transformers.GPT2LMHeadModel.from_pretrained(folder, attn_implementation="eager").eval()
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
