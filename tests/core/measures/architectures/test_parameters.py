"""Every parameter is counted once, in the part that it belongs to."""

from typing import Any

import pytest

from core.measures.architectures.parameters import (
    ARCHITECTURES,
    configs_of,
    counts,
    parameters_by_part,
    part_of,
)
from core.measures.distance.costs import transformer_parameters
from core.model.config import POSITIONS, ModelConfig
from core.model.models import EncoderDecoder, Transformer
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


@pytest.mark.parametrize("case", CASES, ids=str)
def test_parts_add_up_to_all_parameters(case: dict[str, Any]) -> None:
    config = ModelConfig(vocab_size=1, **case)
    encoder, decoder, pair = configs_of(config)
    assert (
        (encoder.mask, decoder.mask) == ("bidirectional", "causal") == (pair.encoder.mask, pair.decoder.mask)
    )
    models = Transformer(encoder), Transformer(decoder), EncoderDecoder(pair.encoder, pair.decoder)
    found = parameters_by_part(config)
    assert tuple(found) == ARCHITECTURES
    for parts, model in zip(found.values(), models, strict=True):
        assert sum(parts.values()) == sum(parameter.numel() for parameter in model.parameters())


@each("case", CASES)
def test_parts_of_one_stack_are_what_its_formula_says(case: dict[str, Any]) -> None:
    config = ModelConfig(vocab_size=1, **case)
    expected = transformer_parameters(configs_of(config)[1])
    renamed = {
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
    found = parameters_by_part(config)["decoder"]
    assert dict(found) == {part: expected[name] for part, name in renamed.items()}


def test_untied_words_have_an_output_layer_of_their_own() -> None:
    found = counts(Transformer(ModelConfig(vocab_size=11, d_model=6, n_heads=2, output_bias=True)))
    assert (found["embeddings"], found["output"]) == (66, 66 + 11)


def test_a_parameter_without_a_place_is_named() -> None:
    with pytest.raises(ValueError, match=r"flux\.capacitor"):
        part_of("flux.capacitor")
