"""The program of the explorer prints what the reading of the same model shows."""

from typing import Any

import numpy as np
import pytest

from core.measures.reading import read
from core.model.config import ModelConfig
from core.programs import Subject, attention_program
from core.text.tokenizer import words_of
from tests.programs import printed, printed_matrix

TEXT = "the oven cooked the bread so zzyzx"

CASES: list[dict[str, Any]] = [
    {"source": "trained"},
    {"source": "trained", "positions": "learned", "mask": "bidirectional", "head": 3},
    {"source": "trained", "positions": "alibi", "n_heads": 8, "layer": 1, "head": 7},
    {"source": "trained", "positions": "rotary", "n_heads": 2, "layer": 1, "norm": "post"},
    {"source": "trained", "positions": "none", "scale": False, "residual": False, "layer": 1},
    {"source": "trained", "mlp": False, "window": 2, "layer": 1, "n_heads": 1},
    {"source": "random", "seed": 5, "layer": 2, "n_layers": 3},
    {"source": "random", "positions": "learned", "norm": "none", "layer": 1, "mask": "bidirectional"},
    {"source": "random", "positions": "rotary", "norm": "post", "mlp": False, "layer": 1, "head": 2},
    {"source": "random", "positions": "alibi", "scale": False, "window": 1, "n_heads": 8},
    # What pretrained models are made of, in turn: GPT-2, BERT, BLOOM, T5 and Llama.
    {"source": "random", "positions": "learned", "activation": "gelu_tanh", "epsilon": 0.03, "layer": 1},
    {
        "source": "random",
        "positions": "learned",
        "mask": "bidirectional",
        "norm": "post",
        "n_types": 2,
        "activation": "gelu",
        "embed_norm": True,
        "epsilon": 0.03,
        "layer": 1,
    },
    {
        "source": "random",
        "positions": "alibi",
        "n_heads": 2,
        "slopes": (0.25, 2.0),
        "embed_norm": True,
        "embed_scale": 3.0,
        "layer": 1,
    },
    {
        "source": "random",
        "positions": "relative",
        "scale": False,
        "bias": False,
        "norm_kind": "rms",
        "head_width": 7,
        "gated": True,
        "activation": "gelu_tanh",
        "epsilon": 0.03,
        "layer": 1,
        "head": 3,
    },
    {
        "source": "random",
        "positions": "rotary",
        "rotary_base": 77.0,
        "n_heads": 6,
        "n_kv_heads": 2,
        "head_width": 10,
        "norm_kind": "rms",
        "gated": True,
        "activation": "silu",
        "layer": 1,
        "head": 2,
    },
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: " ".join(map(str, case.values())))
def test_the_program_prints_the_weights_shown(case: dict[str, Any]) -> None:
    place = {name: case.get(name, 0) for name in ("layer", "head")}
    model = {
        name: case.get(name, default) for name, default in [("source", ""), ("seed", 0), ("window", None)]
    }
    fields = {name: value for name, value in case.items() if name not in (*place, *model)}
    config, words = ModelConfig(vocab_size=1, **fields), words_of(TEXT)

    subject = Subject(words=words, config=config, **model, **place)

    rows = printed_matrix(attention_program(subject), len(words))

    shown = read(subject.loaded, window=subject.window).pattern(subject.layer, subject.head)
    np.testing.assert_allclose(rows, shown, atol=6e-4)


@pytest.mark.parametrize("layer", [0, 1, 2])
def test_a_program_goes_through_the_blocks_below_its_layer_and_has_no_block_where_there_are_none(
    layer: int,
) -> None:
    config = ModelConfig(vocab_size=1, n_layers=3)
    subject = Subject(words=("a", "b"), config=config, source="random", layer=layer)
    written = attention_program(subject)
    assert (f'for i in range({layer}):\n    x = block(x, f"blocks.{{i}}")' in written) == bool(layer)
    assert ("block(x" in written) == bool(layer)


def test_typed_words_stay_words_whatever_they_are() -> None:
    words = ('"""', "'", "\\", "'); print('x", "{d_model}", "茶", "\u202e", "%s")
    subject = Subject(words=words, config=ModelConfig(vocab_size=1, n_layers=1), source="random")

    lines = printed(attention_program(subject)).splitlines()

    assert [line.strip().rsplit(maxsplit=len(words))[0] for line in lines] == list(words)
