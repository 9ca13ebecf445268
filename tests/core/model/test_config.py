"""A configuration says what is wrong with it, and equal ones are the same key of a cache."""

import re
from dataclasses import replace
from typing import Any

import pytest

from core.model.config import NORMS, POSITIONS, ModelConfig
from core.model.masks import MASKS
from tests.covering import each

SIZES = ["vocab_size", "d_model", "n_heads", "n_layers", "d_mlp", "max_len"]


def exactly(message: str) -> str:
    return f"^{re.escape(message)}$"


def test_a_vocabulary_is_all_that_has_to_be_said() -> None:
    assert ModelConfig(vocab_size=13) == ModelConfig(
        vocab_size=13, d_model=64, n_heads=4, n_layers=2, d_mlp=256, max_len=256, positions="sinusoidal",
        mask="causal", norm="pre", scale=True, residual=True, mlp=True, bias=True,
    )  # fmt: skip


def test_the_feed_forward_layer_is_four_times_as_wide_unless_told() -> None:
    assert ModelConfig(vocab_size=13, d_model=20).d_mlp == 80
    assert ModelConfig(vocab_size=13, d_model=20, d_mlp=7).d_mlp == 7


def test_equal_configurations_are_one_key_and_every_field_tells_two_apart() -> None:
    config = ModelConfig(vocab_size=13)
    assert hash(config) == hash(ModelConfig(vocab_size=13, d_mlp=256))
    others: dict[str, Any] = {
        "vocab_size": 17, "d_model": 32, "n_heads": 2, "n_layers": 3, "d_mlp": 19, "max_len": 23,
        "positions": "alibi", "mask": "bidirectional", "norm": "post",
        "scale": False, "residual": False, "mlp": False, "bias": False,
    }  # fmt: skip
    variants = {replace(config, **{name: value}) for name, value in others.items()}
    assert len(variants | {config}) == len(others) + 1


@each("size", [0, 2.5, "64", True])
@each("name", SIZES)
def test_a_size_that_is_no_whole_number_of_at_least_one_is_refused_by_name(name: str, size: object) -> None:
    options: dict[str, Any] = {"vocab_size": 13, name: size}
    with pytest.raises(
        ValueError, match=exactly(f"{name} must be a whole number of at least 1, got {size!r}")
    ):
        ModelConfig(**options)


@each(("name", "choices"), [("positions", POSITIONS), ("mask", MASKS), ("norm", NORMS)])
@each("value", ["sideways", None])
def test_a_value_outside_the_choices_is_refused_with_all_of_them(
    name: str, choices: tuple[str, ...], value: object
) -> None:
    options: dict[str, Any] = {"vocab_size": 13, name: value}
    with pytest.raises(
        ValueError, match=exactly(f"{name} must be one of {', '.join(choices)}, got {value!r}")
    ):
        ModelConfig(**options)


@each("value", [1, None])
@each("name", ["scale", "residual", "mlp", "bias"])
def test_a_switch_is_on_or_off_and_nothing_else(name: str, value: object) -> None:
    options: dict[str, Any] = {"vocab_size": 13, name: value}
    with pytest.raises(ValueError, match=exactly(f"{name} must be True or False, got {value!r}")):
        ModelConfig(**options)


def test_heads_that_do_not_divide_the_width_are_refused_with_both_numbers() -> None:
    with pytest.raises(ValueError, match=exactly("d_model must be a multiple of n_heads, got 64 and 5")):
        ModelConfig(vocab_size=13, n_heads=5)


def test_rotary_positions_refuse_heads_of_odd_width_and_only_they_do() -> None:
    with pytest.raises(ValueError, match="d_model=42 and n_heads=6, a d_head of 7"):
        ModelConfig(vocab_size=13, d_model=42, n_heads=6, positions="rotary")
    for positions in set(POSITIONS) - {"rotary"}:
        assert ModelConfig(vocab_size=13, d_model=42, n_heads=6, positions=positions).d_head == 7
    assert ModelConfig(vocab_size=13, d_model=42, n_heads=3, positions="rotary").d_head == 14
