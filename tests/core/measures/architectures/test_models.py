"""Whole models: every parameter is counted once, and trained pairs are recognised."""

from dataclasses import replace
from typing import Any

from core.learning.collection import load_listed_member
from core.learning.collection.translators import name_of_pair, transformer_pair
from core.measures.architectures.models import counts, random_pair, trained_pair
from core.measures.architectures.unrolled import pair_config
from core.model.config import POSITIONS, ModelConfig
from tests.covering import covering, each

CASES = covering(
    {
        "positions": POSITIONS,
        "norm": ("pre", "post", "none"),
        "n_heads": (1, 2, 8),
        "n_layers": (1, 3),
        "mlp": (True, False),
    }
)


@each("case", CASES)
def test_the_stacks_of_a_pair_add_up(case: dict[str, Any]) -> None:
    model = random_pair(ModelConfig(vocab_size=1, **case), 0)
    encoder, decoder, both = (counts(model, stack=stack) for stack in ("encoder", "decoder", ""))
    assert both == {part: encoder.get(part, 0) + decoder.get(part, 0) for part in both}
    assert decoder["queries"] == 2 * encoder["queries"], "every block of the decoder attends twice"
    assert sum(both.values()) == sum(parameter.numel() for parameter in model.parameters())


@each("name", ["next-word-lstm", name_of_pair(pair_config(attends=True))])
def test_parts_of_a_recurrent_network_add_up(name: str) -> None:
    model = load_listed_member(name)
    found = counts(model)
    assert found["recurrence"] > 0
    assert sum(found.values()) == sum(parameter.numel() for parameter in model.parameters())


def test_a_pair_with_the_switches_of_a_translator_is_that_translator() -> None:
    config = ModelConfig(vocab_size=1, positions="rotary", n_heads=1, n_layers=1)
    assert trained_pair(config) == transformer_pair(1, 1)
    for other in ({"norm": "post"}, {"positions": "none"}, {"n_layers": 3}, {"scale": False}):
        assert trained_pair(replace(config, **other)) is None
