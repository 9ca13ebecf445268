"""Every parameter is counted once, in the part that it belongs to."""

from typing import Any

import pytest

from core.learning.collection import take
from core.learning.collection.translators import name_of_pair
from core.measures.architectures.models import counts, part_of, random_pair
from core.measures.architectures.unrolled import pair_config
from core.measures.distance.costs import transformer_parameters
from core.model.config import POSITIONS, ModelConfig
from core.model.models import Transformer
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
RENAMED = {
    "embeddings": "embed",
    "queries": "query",
    "keys": "key",
    "values": "value",
    "attention output": "output",
    "feed-forward": "mlp",
    "norms": "norm",
    "output": "unembed",
    "positions": "positions",
}


@each("case", CASES)
def test_parts_of_one_stack_are_what_its_formula_says_whatever_the_mask(case: dict[str, Any]) -> None:
    for mask in ("causal", "bidirectional"):
        config = ModelConfig(vocab_size=7, tied=True, mask=mask, **case)
        model, expected = Transformer(config), transformer_parameters(config)
        found = counts(model)
        assert found == {part: expected[name] for part, name in RENAMED.items() if expected[name]}
        assert sum(found.values()) == sum(parameter.numel() for parameter in model.parameters())


@each("case", CASES)
def test_the_stacks_of_a_pair_add_up(case: dict[str, Any]) -> None:
    model = random_pair(ModelConfig(vocab_size=1, **case), 0)
    encoder, decoder, both = (counts(model, stack=stack) for stack in ("encoder", "decoder", ""))
    assert both == {part: encoder.get(part, 0) + decoder.get(part, 0) for part in both}
    assert decoder["queries"] == 2 * encoder["queries"], "every block of the decoder attends twice"
    assert sum(both.values()) == sum(parameter.numel() for parameter in model.parameters())


@pytest.mark.parametrize(
    "name",
    ["next-word-rnn", "next-word-lstm", *(name_of_pair(pair_config(attends=a)) for a in (True, False))],
)
def test_parts_of_a_recurrent_network_add_up(name: str) -> None:
    model = take(name)
    found = counts(model)
    assert found["recurrence"] > 0
    assert sum(found.values()) == sum(parameter.numel() for parameter in model.parameters())


def test_untied_words_have_an_output_layer_of_their_own() -> None:
    found = counts(Transformer(ModelConfig(vocab_size=11, d_model=6, n_heads=2, output_bias=True)))
    assert (found["embeddings"], found["output"]) == (66, 66 + 11)


def test_a_parameter_without_a_place_is_named() -> None:
    with pytest.raises(ValueError, match=r"flux\.capacitor"):
        part_of("flux.capacitor")
