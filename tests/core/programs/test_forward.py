"""The forward pass by hand prints the results of the models, for all their parts."""

from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.measures.reading import read
from core.measures.stages.stage import Change
from core.measures.stages.walk import small, walk
from core.model.config import ModelConfig
from core.model.positions.frequencies import RotaryScaling
from core.programs import Subject
from core.sources import load
from core.sources.by_hand import by_hand
from core.text.tokenizer import words_of
from tests.covering import each
from tests.programs import printed_matrix
from tests.real import NAME, SOURCE, one_model

CHANGES = (Change("q", 4, 1, 2.5), Change("scores", 2, 0, -1), Change("v", 0, 0, 9))
TEXT = "the oven cooked the bread so zzyzx"
PLACE, MODEL = ("layer", "head"), ("source", "seed", "window")

OWN = {"own_window": "window"}
"""The window of a model itself, beside the window of a view."""

OF_LLAMA_3 = RotaryScaling(factor=8.0, trained_length=29, slow_turns=1.0, fast_turns=2.5)

TRAINED: dict[str, Any] = {"source": "trained"}
RANDOM: dict[str, Any] = {"source": "random", "layer": 1}
CASES: list[dict[str, Any]] = [
    TRAINED | {"positions": "learned", "mask": "bidirectional", "head": 3},
    TRAINED | {"mlp": False, "window": 2, "layer": 1, "n_heads": 1},
    RANDOM | {"seed": 5, "layer": 2, "n_layers": 3},
    RANDOM | {"positions": "alibi", "scale": False, "window": 1, "n_heads": 8, "norm": "none"},
    # The parts of pretrained models, in turn: GPT-2, BERT, BLOOM, T5 and Llama.
    RANDOM
    | {"positions": "learned", "mask": "bidirectional", "norm": "post", "n_types": 2}
    | {"activation": "gelu", "embed_norm": True, "epsilon": 0.03},
    RANDOM
    | {"positions": "alibi", "n_heads": 2, "slopes": (0.25, 2.0), "embed_norm": True, "embed_scale": 3.0},
    RANDOM
    | {"positions": "relative", "scale": False, "bias": False, "norm_kind": "rms", "head_width": 7}
    | {"gated": True, "activation": "gelu_tanh", "epsilon": 0.03, "head": 3},
    RANDOM
    | {"positions": "rotary", "rotary_base": 77.0, "n_heads": 6, "n_kv_heads": 2, "head_width": 10}
    | {"norm_kind": "rms", "gated": True, "activation": "silu", "head": 2},
    # Llama 3, Qwen3 and Mistral.
    RANDOM | {"positions": "rotary", "rotary_scaling": RotaryScaling(factor=3.0), "norm_kind": "rms"},
    RANDOM | {"positions": "rotary", "rotary_scaling": OF_LLAMA_3, "rotary_base": 77.0},
    RANDOM
    | {"positions": "rotary", "qk_norm": True, "norm_kind": "rms", "n_kv_heads": 2, "bias": False}
    | {"head": 3, "epsilon": 0.03},
    RANDOM | {"positions": "rotary", "own_window": 3},
]


@each("case", CASES)
def test_the_weights_of_a_head_are_printed(case: dict[str, Any]) -> None:
    named = {name: case[name] for name in (*PLACE, *MODEL) if name in case}
    own = {OWN.get(name, name): one for name, one in case.items() if name not in named}
    config = ModelConfig(vocab_size=1, **own)
    subject = Subject(words=words_of(TEXT), config=config, **named)

    rows = printed_matrix(subject.shown("forward", "Weights."), len(subject.words))

    shown = read(subject.loaded, window=subject.window).pattern(subject.layer, subject.head)
    np.testing.assert_allclose(rows, shown, atol=6e-4)


STAGES: list[dict[str, Any]] = [
    {"source": "by hand", "changes": (Change("q", 4, 1, 2.5),)},
    {"small": True, "positions": "alibi", "head": 1, "changes": CHANGES},
]


@pytest.mark.long("all stages; the weights are printed in every run")
@pytest.mark.parametrize("case", STAGES, ids=str)
def test_every_stage_of_a_head_is_printed(case: dict[str, Any]) -> None:
    apart = ("small", "source", "layer", "head", "changes")
    config = ModelConfig(vocab_size=1, **{name: one for name, one in case.items() if name not in apart})
    source = case.get("source", "random")
    shaped = by_hand(config) if source == "by hand" else small(config) if case.get("small") else config
    place = {name: case.get(name, 0) for name in PLACE}
    subject = Subject(words=words_of("Zuko made his uncle tea"), config=shaped, source=source, **place)
    changes = list(case.get("changes", ()))

    found = walk(load(source, shaped, subject.words, 0), **place, changes=changes)

    assert len(found.stages) >= 10
    for stage in found.stages:
        written = subject.shown(
            "stages", stage.name, stage=stage.name, changes=[astuple(one) for one in changes]
        )
        expected = stage.result.matrix
        rows = printed_matrix(written, expected.shape[1])
        np.testing.assert_allclose(rows, expected, atol=6e-4, err_msg=stage.name)


@each("layer", [0, 2])
def test_blocks_are_shown_only_if_a_layer_has_some_below_it(layer: int) -> None:
    config = ModelConfig(vocab_size=1, n_layers=3)
    written = Subject(words=("a", "b"), config=config, source="random", layer=layer).shown("forward", "")
    assert ("def block(" in written) == ("x = block(x" in written) == bool(layer)
    assert "if " not in written
    assert "rotate" not in written


def test_the_weights_of_a_pretrained_model_are_read_from_its_folder(tiny_model: Path) -> None:
    one = one_model(SOURCE)
    config, words = replace(one.config, norm="none"), one.split("I don't think the cats run").texts
    subject = Subject(words=words, config=config, source=SOURCE, layer=1, head=2, window=3)
    written = subject.shown("forward", "Weights.")
    assert f"folder = 'models/{NAME}'" in written
    shown = printed_matrix(written.replace(f"models/{NAME}", str(tiny_model)), len(words), alone=False)
    expected = read(load(SOURCE, config, words, 0), window=3).pattern(1, 2)
    np.testing.assert_allclose(shown, expected, atol=6e-4)
