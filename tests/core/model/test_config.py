"""A configuration reports its errors, and equal configurations are the same key of a cache."""

import re
from dataclasses import fields, replace
from itertools import product
from typing import Any

import pytest

from core.model.config import NORMS, POSITIONS, ModelConfig
from core.model.masks import MASKS
from core.model.positions.frequencies import RotaryScaling
from tests.covering import each

SIZES = ("vocab_size", "d_model", "n_heads", "n_layers", "d_mlp", "max_len")
CHOICES = {"positions": POSITIONS, "mask": MASKS, "norm": NORMS}
REFUSED = [
    *((name, size, f"{name} must be a whole number of at least 1, got {size!r}")
      for name, size in product(SIZES, (0, 2.5, True))),
    *((name, value, f"{name} must be one of {', '.join(CHOICES[name])}, got {value!r}")
      for name, value in product(CHOICES, ("sideways",))),
    *((name, value, f"{name} must be True or False, got {value!r}")
      for name, value in product(("scale", "residual", "mlp", "bias"), (1,))),
    ("n_heads", 5, "d_model must be a multiple of n_heads, got 64 and 5"),
    ("head_width", 0, "head_width must be a whole number of at least 1, got 0"),
    ("n_kv_heads", 3, "n_heads must be a multiple of n_kv_heads, got 4 and 3"),
    ("activation", "tanh", "activation must be one of relu, gelu, gelu_tanh, silu, got 'tanh'"),
    ("norm_kind", "batch", "norm_kind must be one of layer, rms, got 'batch'"),
    ("n_types", -1, "n_types must be a whole number of at least 0, got -1"),
    ("slopes", (1.0, 2.0), "slopes must be 4, one for each head, got 2"),
    ("window", -1, "window must be a whole number of at least 0, got -1"),
    ("qk_norm", 1, "qk_norm must be True or False, got 1"),
]  # fmt: skip


@each(("name", "value", "message"), REFUSED)
def test_an_invalid_field_is_refused_by_name(name: str, value: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        ModelConfig(**({"vocab_size": 13} | {name: value}))


def test_rotary_positions_refuse_heads_of_odd_width_and_only_they_do() -> None:
    with pytest.raises(ValueError, match="d_model=42 and n_heads=6, a d_head of 7"):
        ModelConfig(vocab_size=13, d_model=42, n_heads=6, positions="rotary")
    for positions in set(POSITIONS) - {"rotary"}:
        assert ModelConfig(vocab_size=13, d_model=42, n_heads=6, positions=positions).d_head == 7


def test_equal_configurations_are_one_key_and_every_field_counts() -> None:
    config = ModelConfig(vocab_size=13)
    assert hash(config) == hash(ModelConfig(vocab_size=13, d_mlp=256))
    others: dict[str, Any] = {
        "vocab_size": 17, "d_model": 32, "n_heads": 2, "n_layers": 3, "d_mlp": 19, "max_len": 23,
        "positions": "alibi", "mask": "bidirectional", "norm": "post",
        "scale": False, "residual": False, "mlp": False, "bias": False,
        "head_width": 5, "n_kv_heads": 1, "slopes": (1.0, 2.0, 3.0, 4.0), "rotary_base": 7.0,
        "two_sided": True, "activation": "gelu", "gated": True, "norm_kind": "rms", "epsilon": 0.5,
        "embed_norm": True, "embed_scale": 2.0, "n_types": 3, "output_transform": True, "output_bias": True,
        "tied": True, "qk_norm": True, "window": 5, "rotary_scaling": RotaryScaling(factor=2.0),
    }  # fmt: skip
    assert set(others) == {field.name for field in fields(ModelConfig)}
    variants = {replace(config, **{name: value}) for name, value in others.items()}
    assert len(variants | {config}) == len(others) + 1
