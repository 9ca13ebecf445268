"""Llama's architecture in three published sizes with random weights: our module and transformers'."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import Any

import torch
from torch import Tensor, nn

from bench.gpu.checking import difference
from core.model.forward import PATTERNS
from core.model.models import Transformer
from core.model.trace import Trace
from core.pretrained.converting import convert, outline
from core.pretrained.fields import Fields
from core.pretrained.llama import LLAMA
from core.pretrained.weights import Weights

AGREEMENT: Mapping[torch.dtype, float] = MappingProxyType({torch.float32: 1e-3, torch.bfloat16: 0.2})
"""Largest difference allowed between our logits or patterns and theirs, divided by their largest number.

Both compute in the same precision, in tens of layers, and each rounds in its own way.
"""


@dataclass(frozen=True, kw_only=True)
class Shape:
    """Sizes of a model; sizes not listed are the same in all models."""

    name: str
    vocab_size: int
    d_model: int
    n_layers: int
    n_heads: int
    n_key_heads: int
    d_mlp: int
    tied: bool
    rotary_base: float = 10_000.0

    def fields(self) -> dict[str, Any]:
        """Return the fields of transformers' configuration of this size."""
        return {
            "vocab_size": self.vocab_size,
            "hidden_size": self.d_model,
            "num_hidden_layers": self.n_layers,
            "num_attention_heads": self.n_heads,
            "num_key_value_heads": self.n_key_heads,
            "intermediate_size": self.d_mlp,
            "tie_word_embeddings": self.tied,
            "max_position_embeddings": 4096,
            "rms_norm_eps": 1e-5,
            "rope_parameters": {"rope_type": "default", "rope_theta": self.rotary_base},
        }


SMOLLM2 = Shape(name="SmolLM2 135M", vocab_size=49_152, d_model=576, n_layers=30, n_heads=9, n_key_heads=3,
                d_mlp=1536, tied=True, rotary_base=100_000.0)  # fmt: skip
ONE_BILLION = Shape(name="Llama 3.2 1B", vocab_size=128_256, d_model=2048, n_layers=16, n_heads=32,
                    n_key_heads=8, d_mlp=8192, tied=True, rotary_base=500_000.0)  # fmt: skip
SEVEN_BILLION = Shape(name="Llama 2 7B", vocab_size=32_000, d_model=4096, n_layers=32, n_heads=32,
                      n_key_heads=32, d_mlp=11_008, tied=False)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Subject:
    """Our model and theirs, with the same weights."""

    ours: Transformer
    theirs: nn.Module

    def ask_theirs(self, attention: str) -> nn.Module:
        """Return their model set to a kind of attention, `eager` or `sdpa`."""
        self.theirs.set_attn_implementation(attention)  # type: ignore[operator]
        return self.theirs


def build(shape: Shape, device: torch.device, dtype: torch.dtype) -> Subject:
    """Return the models of a size on a device. Raises ImportError without transformers."""
    transformers = import_module("transformers")
    transformers.utils.logging.set_verbosity_error()
    config = transformers.LlamaConfig(**shape.fields())
    torch.manual_seed(0)
    with device:
        made = transformers.LlamaForCausalLM._from_config(config, attn_implementation="sdpa", dtype=dtype)
    theirs = made.to(device).eval().requires_grad_(False)
    return Subject(converted(theirs, dtype), theirs)


def converted(theirs: Any, dtype: torch.dtype) -> Transformer:
    """Return our model with their weights; both share all but the queries' and keys', which are reordered."""
    weights = Weights(dict(theirs.named_parameters()), prefix=LLAMA.prefix, dtype=dtype)
    ours = outline(LLAMA.convert(Fields(theirs.config.to_dict()), weights), has_output=True)
    assert isinstance(ours, Transformer), "it has an output layer"
    convert(ours, weights, LLAMA)
    return ours.eval()


@torch.inference_mode()
def disagreement(subject: Subject, tokens: Tensor) -> float:
    """Return the largest difference between our logits and patterns and theirs."""
    trace = Trace(keep=PATTERNS)
    logits = subject.ours(tokens, trace=trace)
    expected = subject.ask_theirs("eager")(tokens, output_attentions=True, use_cache=False)
    differences = [difference(logits, expected.logits)]
    for layer, pattern in enumerate(expected.attentions):
        differences.append(difference(trace[f"blocks.{layer}.attention.pattern"], pattern))
    return max(differences)
