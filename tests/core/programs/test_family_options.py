"""Programs about a block follow the details of pretrained models: their activation, gate and epsilon."""

import re
from dataclasses import replace
from typing import Any

import numpy as np

from core.measures.blocks.norms import normalised
from core.measures.blocks.parts import output_changes
from core.model.config import NORMS, ModelConfig, Norm
from core.programs import Subject
from core.programs.normalised import normalised_program
from core.programs.one_position import one_position_program
from core.sources import load
from tests.covering import each
from tests.programs import printed

WORDS = ("the", "oven", "cooked", "the", "bread")
CONFIG = ModelConfig(vocab_size=1, d_model=16, n_heads=2, d_mlp=23)
DETAILS: dict[str, dict[str, Any]] = {
    "own": {},
    "gelu": {"activation": "gelu", "epsilon": 0.3},
    "gated": {"activation": "silu", "gated": True, "epsilon": 1e-6},
}


def numbers(program: str) -> np.ndarray:
    """The decimal numbers of each printed line."""
    lines = printed(program).splitlines()
    return np.array([[float(n) for n in re.findall(r"-?\d+\.\d+", line)] for line in lines])


@each("norm", NORMS)
@each("details", DETAILS.values())
def test_what_the_feed_forward_layer_changes_is_printed(details: dict[str, Any], norm: Norm) -> None:
    config = replace(CONFIG, norm=norm, **details)
    subject = Subject(words=WORDS, config=config, source="random", layer=1)
    found = output_changes(load("random", config, WORDS, 0), layer=1, position=2)
    expected = np.stack([found.feed_forward, found.attention], axis=1)
    np.testing.assert_allclose(numbers(one_position_program(subject, 2)), expected, atol=2e-4)


@each("place", [0, 3])
@each("norm", ["pre", "post"])
@each("details", DETAILS.values())
def test_what_layer_norm_makes_of_every_token_is_printed(
    details: dict[str, Any], norm: Norm, place: int
) -> None:
    config = replace(CONFIG, norm=norm, **details)
    subject = Subject(words=WORDS, config=config, source="random")
    found = normalised(load("random", config, WORDS, 0), place=place)
    expected = [
        [before.mean(), before.std(), after.mean(), after.std()]
        for before, after in zip(found.before, found.after, strict=True)
    ]
    np.testing.assert_allclose(numbers(normalised_program(subject, place)), expected, atol=2e-4)
