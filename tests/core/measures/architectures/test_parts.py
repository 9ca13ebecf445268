"""The parts of a model are the parts of its forward pass, for every configuration."""

from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from core.measures.architectures.diagram import diagram
from core.measures.architectures.models import ModelRun, random_pair, run_pair, run_stack
from core.measures.architectures.parts import Anatomy
from core.model.blocks import Block
from core.model.config import POSITIONS, ModelConfig
from core.model.positions import SCHEMES
from core.model.trace import Trace
from core.sources import load
from tests.covering import each

WORDS = ("seven", "words", "are", "what", "this", "stack", "reads")
SENTENCE = ("the", "cat", "walks", "on", "the", "street")
OURS = ("the", "driver", "poured", "the", "gardener", "tea", ".")
START = ["words", "embed", "positions"]
ATTENTION, SUM, FEED, SECOND_SUM = "attention", "mid.sum", "mlp", "out.sum"
FIRST_NORM, SECOND_NORM = "attention_norm", "mlp_norm"
CHAINS: list[tuple[dict[str, Any], list[str], list[str]]] = [
    ({}, [FIRST_NORM, ATTENTION, SUM, SECOND_NORM, FEED, SECOND_SUM], ["norm", "logits"]),
    ({"norm": "post"}, [ATTENTION, SUM, FIRST_NORM, FEED, SECOND_SUM, SECOND_NORM], ["logits"]),
    ({"norm": "none"}, [ATTENTION, SUM, FEED, SECOND_SUM], ["logits"]),
    ({"residual": False}, [FIRST_NORM, ATTENTION, SECOND_NORM, FEED], ["norm", "logits"]),
    ({"mlp": False}, [FIRST_NORM, ATTENTION, SUM], ["norm", "logits"]),
    ({"norm": "post", "residual": False}, [ATTENTION, FIRST_NORM, FEED, SECOND_NORM], ["logits"]),
    ({"norm": "none", "residual": False, "mlp": False}, [ATTENTION], ["logits"]),
]
"""Changes of a configuration, the parts of a block from below, and the parts after the last block."""


def seen(words: tuple[str, ...] = WORDS, **fields: Any) -> ModelRun:
    config = ModelConfig(vocab_size=1, d_model=20, n_heads=2, **fields)
    return run_stack(load("random", config, words, 3))


def of_block(found: Anatomy, layer: int) -> list[str]:
    prefix = f"blocks.{layer}."
    return [name.removeprefix(prefix) for name in found.parts if name.startswith(prefix)]


@each(("fields", "block", "end"), CHAINS)
def test_boxes_stand_in_their_order_and_arrows_go_round_a_part_only_for_a_residual_connection(
    fields: dict[str, Any], block: list[str], end: list[str]
) -> None:
    found = seen(n_layers=2, **fields).anatomy
    names = [f"blocks.{layer}.{name}" for layer in range(2) for name in block]
    assert list(found.parts) == [*START, *names, *end]
    parts, order = found.parts, list(found.parts)
    for at, part in enumerate(parts.values()):
        if part.kind != "sum":
            assert part.inputs == tuple(order[at - 1 : at])
            continue
        before = at - 2 if fields.get("norm", "pre") != "pre" else at - 3
        assert part.inputs == (order[before], order[at - 1])
    assert any(part.kind == "sum" for part in parts.values()) == fields.get("residual", True)


def test_a_block_in_another_order_is_drawn_in_that_order(monkeypatch: pytest.MonkeyPatch) -> None:
    def backwards(block: Block, x: Tensor, **given: Any) -> Tensor:
        trace = given.pop("trace")
        allowed, positions = given["allowed"], given["positions"]
        fed_forward = block.mlp(torch.relu(block.mlp_norm(x)), trace=trace.at("mlp"))
        x = x * 3 + fed_forward
        entering = trace("attention.input", x)
        attended = block.attention(
            entering, entering, allowed=allowed, positions=positions, trace=trace.at("attention")
        )
        return trace("out", block.attention_norm(attended))

    monkeypatch.setattr(Block, "forward", backwards)
    found = seen(n_layers=1).anatomy
    names = of_block(found, 0)

    assert names.index("mlp_norm") < names.index("mlp") < names.index("attention")
    assert names.index("attention") < names.index("attention_norm")
    assert found.parts["blocks.0.attention_norm"].inputs == ("blocks.0.attention",)
    (summed,) = (part for part in found.parts.values() if part.kind == "sum")
    assert found.parts["blocks.0.attention"].inputs == (summed.name,)
    strange = [part.name.rpartition(".")[2] for part in found.parts.values() if part.kind == "operation"]
    assert "mul" in strange
    assert "blocks.0.mid.sum" not in found.parts


@each("positions", POSITIONS)
def test_positions_are_found_where_the_scheme_says_that_it_enters(positions: str) -> None:
    found = seen(positions=positions, n_layers=1).anatomy
    point = SCHEMES[positions].injection_point()
    for attention in found.attentions.values():
        assert (attention.turned, attention.biased) == (point == "rotate", point == "bias")
    assert ("positions" in found.parts) == (point == "embed")


@each(("source", "norm"), [("trained", "pre"), ("random", "post")])
def test_the_output_of_a_part_agrees_with_the_models_record(source: str, norm: str) -> None:
    config = ModelConfig(vocab_size=1, norm=norm)  # type: ignore[arg-type]
    found = run_stack(load(source, config, SENTENCE, 0)).anatomy
    loaded, trace = load(source, config, SENTENCE, 0), Trace()
    with torch.inference_mode():
        loaded.model(loaded.tokens, trace=trace)

    np.testing.assert_allclose(found.parts["logits"].value, trace["logits"][0])
    np.testing.assert_allclose(found.parts["blocks.1.mlp"].value, trace["blocks.1.mlp.out"][0])
    last = "out.sum" if norm == "pre" else "mlp_norm"
    np.testing.assert_allclose(found.parts[f"blocks.0.{last}"].value, trace["blocks.0.out"][0])
    for part in found.inside["blocks.1.attention"]:
        np.testing.assert_allclose(part.value, trace[f"blocks.1.attention.{part.name}"][0])
    total = found.parts["blocks.0.mid.sum"].value
    entering = found.parts[found.parts["blocks.0.mid.sum"].inputs[0]].value
    np.testing.assert_allclose(total, entering + found.parts["blocks.0.attention"].value, atol=1e-5)


def test_a_place_is_the_line_that_computes_the_part() -> None:
    parts = seen(norm="post").anatomy.parts
    for name, called in {
        "blocks.0.attention": "self.attention(",
        "blocks.0.mid.sum": 'trace("mid"',
        "blocks.0.attention_norm": "self.attention_norm(",
        "blocks.0.mlp_norm": "self.mlp_norm(",
        "logits": "self.unembed(",
    }.items():
        place = parts[name].place
        assert place is not None
        assert called in place.text
        assert place.file == ("core/model/models.py" if name == "logits" else "core/model/blocks.py")


def test_the_encoder_feeds_every_cross_attention_of_the_decoder() -> None:
    config = ModelConfig(vocab_size=1, d_model=20, n_heads=2, n_layers=2)
    found = run_pair(random_pair(config, 1), OURS)
    parts, n, m = found.anatomy.parts, len(OURS), len(found.target)

    assert n != m
    for layer in range(2):
        name = f"decoder.blocks.{layer}.cross_attention"
        assert parts[name].inputs == (f"{name}_norm", "encoder.norm")
        assert found.anatomy.attentions[name].allowed.shape == (m, n)
        inside = {part.name: part for part in found.anatomy.inside[name]}
        assert inside["pattern"].shape == (2, m, n)
        assert inside["q"].inputs == (f"{name}_norm",)
        assert inside["k"].inputs == inside["v"].inputs == ("encoder.norm",)
        np.testing.assert_allclose(inside["pattern"].value.sum(axis=-1), np.ones((2, m)), atol=1e-5)
    for name, attention in found.anatomy.attentions.items():
        assert (attention.hidden > 0) == (name.startswith("decoder") and "cross" not in name)


def test_the_other_blocks_are_drawn_as_one_box_below_and_one_above() -> None:
    found = seen(n_layers=5)
    boxes = {box.name: box for box in diagram(found.anatomy, 2)}
    below, above = boxes["blocks.below"], boxes["blocks.above"]

    assert (below.blocks, above.blocks) == ((0, 1), (3, 4))
    assert below.inputs == ("positions",)
    assert above.inputs == ("blocks.2.out.sum",)
    assert boxes["norm"].inputs == ("blocks.above",)
    assert boxes["blocks.2.mid.sum"].inputs == ("blocks.below", "blocks.2.attention")
    assert [box.name for box in boxes.values() if box.in_block] == [
        f"blocks.2.{name}" for name in CHAINS[0][1]
    ]
    np.testing.assert_array_equal(below.last.value, found.anatomy.parts["blocks.1.out.sum"].value)
    assert not {"blocks.below", "blocks.above"} & {box.name for box in diagram(seen(n_layers=1).anatomy, 0)}
