"""Llama's architecture in three published sizes with random weights: our module and transformers'."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType
from typing import Any

import torch
from einops import rearrange
from torch import Tensor, nn

from bench.gpu.checking import difference
from core.model.config import ModelConfig
from core.model.forward import PATTERNS
from core.model.models import Transformer
from core.model.norm import RMSNorm
from core.model.trace import Trace
from core.pretrained.converting import outline, source_of
from core.pretrained.llama import LLAMA

DEVIATION = 0.02
"""Standard deviation of the random weights, as transformers draws them."""

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

    def config(self) -> ModelConfig:
        """Return our configuration of this size."""
        return ModelConfig(
            vocab_size=self.vocab_size,
            d_model=self.d_model,
            n_layers=self.n_layers,
            n_heads=self.n_heads,
            n_kv_heads=self.n_key_heads,
            d_mlp=self.d_mlp,
            tied=self.tied,
            positions="rotary",
            rotary_base=self.rotary_base,
            max_len=4096,
            bias=False,
            embed_scale=1.0,
            activation="silu",
            gated=True,
            norm_kind="rms",
        )

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
    """Our model and, if transformers is installed, theirs with the same weights."""

    shape: Shape
    ours: Transformer
    theirs: nn.Module | None
    weight_bytes: int = field(default=0)

    def ask_theirs(self, attention: str) -> nn.Module:
        """Return their model set to a kind of attention, `eager` or `sdpa`."""
        assert self.theirs is not None, "transformers is installed"
        self.theirs.set_attn_implementation(attention)  # type: ignore[operator]
        return self.theirs


def build(shape: Shape, device: torch.device, dtype: torch.dtype) -> Subject:
    """Return the models of a size on a device."""
    theirs = _theirs(shape, device, dtype) if find_spec("transformers") is not None else None
    ours = _empty(shape, device, dtype)
    with torch.no_grad():
        if theirs is None:
            _draw(ours)
        else:
            copy_weights(ours, dict(theirs.named_parameters(remove_duplicate=False)))
    n_bytes = sum(parameter.numel() * parameter.element_size() for parameter in ours.parameters())
    return Subject(shape, ours, theirs, n_bytes)


def _theirs(shape: Shape, device: torch.device, dtype: torch.dtype) -> nn.Module:
    transformers = import_module("transformers")
    transformers.utils.logging.set_verbosity_error()
    config = transformers.LlamaConfig(**shape.fields())
    torch.manual_seed(0)
    with device:
        made = transformers.LlamaForCausalLM._from_config(config, attn_implementation="sdpa", dtype=dtype)
    model: nn.Module = made.to(device).eval().requires_grad_(False)
    return model


def _empty(shape: Shape, device: torch.device, dtype: torch.dtype) -> Transformer:
    model = outline((shape.config(),), has_output=True)
    assert isinstance(model, Transformer), "it has an output layer"
    model = model.to(dtype).to_empty(device=device).eval().requires_grad_(False)
    if shape.tied:  # each name got separate memory
        model.unembed.weight = model.embed.weight
    return model


def _draw(model: Transformer) -> None:
    for module in model.modules():
        for parameter in module.parameters(recurse=False):
            if isinstance(module, RMSNorm):
                parameter.fill_(1.0)
            else:
                parameter.normal_(0.0, DEVIATION)


def copy_weights(ours: Transformer, theirs: Mapping[str, Tensor]) -> None:
    """Copy transformers' weights into ours, queries and keys in our order of rotated pairs."""
    for name, parameter in ours.named_parameters():
        source = source_of(name, LLAMA.names)
        tensor = theirs[source if source in theirs else f"{LLAMA.prefix}{source}"]
        if source.endswith(("q_proj.weight", "k_proj.weight")):
            rows = "(head half pair) d_model -> (head pair half) d_model"
            tensor = rearrange(tensor, rows, half=2, pair=ours.config.d_head // 2)
        parameter.copy_(tensor)


@torch.inference_mode()
def disagreement(subject: Subject, tokens: Tensor) -> float | None:
    """Return the largest difference between our logits and patterns and theirs; None without theirs."""
    if subject.theirs is None:
        return None
    trace = Trace(keep=PATTERNS)
    logits = subject.ours(tokens, trace=trace)
    expected = subject.ask_theirs("eager")(tokens, output_attentions=True, use_cache=False)
    differences = [difference(logits, expected.logits)]
    for layer, pattern in enumerate(expected.attentions):
        differences.append(difference(trace[f"blocks.{layer}.attention.pattern"], pattern))
    return max(differences)
