"""A walk through a head: its stages are those of the forward pass, each follows from what goes into it."""

from typing import Any

import numpy as np
import pytest
import torch

from core.measures.reading import read
from core.measures.stages import Change, Stage, one_word, small, walk
from core.model.config import POSITIONS, ModelConfig
from core.model.positions import SCHEMES
from core.sources import load
from core.text.tokenizer import words_of
from tests.covering import each

WORDS = words_of("the oven cooked the bread so zzyzx")

CASES: list[dict[str, Any]] = [
    {"positions": "alibi"},
    {"positions": "none", "mask": "bidirectional", "scale": False, "head": 1},
    {"positions": "sinusoidal", "norm": "post", "n_layers": 2, "layer": 1},
    {"positions": "learned", "norm": "post", "mask": "bidirectional", "head": 2},
    {"positions": "alibi", "norm": "post", "source": "trained", "layer": 1, "head": 3},
    {"positions": "learned", "n_heads": 8, "head": 7},
    {"positions": "rotary", "n_heads": 2, "norm": "none", "head": 1},
    {"positions": "alibi", "source": "trained", "layer": 1, "head": 2},
    {"positions": "rotary", "source": "trained", "head": 3},
    # As BERT and as BLOOM begin.
    {"positions": "learned", "norm": "post", "mask": "bidirectional", "n_types": 2, "embed_norm": True},
    {"positions": "alibi", "embed_norm": True},
    {"positions": "sinusoidal", "embed_norm": True, "n_types": 3, "norm": "none"},
]


def walked(case: dict[str, Any], **more: Any) -> Any:
    place = {name: case.get(name, 0) for name in ("layer", "head")}
    fields = {k: v for k, v in case.items() if k not in (*place, "source")}
    config = ModelConfig(vocab_size=1, **fields)
    return walk(load(case.get("source", "random"), config, WORDS, 3), **place, **more)


def follows(stage: Stage) -> np.ndarray:
    """The result of a stage worked out again from its operands, by its rule and the signs between them."""
    grids = [operand.grid.matrix.astype(np.float64) for operand in stage.operands]
    if stage.rule == "pick":
        root = float(stage.operands[1].after.partition("√")[2] or 1) ** 0.5
        return grids[0] @ grids[1] * root
    if stage.rule == "multiply":
        return grids[0] @ grids[1] + sum(grids[2:], np.zeros(1))
    if stage.rule == "add":
        return grids[0] + grids[1]
    if stage.rule == "divide":
        return grids[0] / float(stage.operands[0].after.partition("√")[2]) ** 0.5
    if stage.rule == "softmax":
        return torch.from_numpy(grids[0]).softmax(-1).numpy()
    if stage.rule == "join":
        return np.concatenate(grids, axis=1)
    assert stage.rule == "normalise"
    named = {one.name: one.grid.matrix for one in stage.operands}
    normal = torch.nn.functional.layer_norm(torch.from_numpy(grids[0]), grids[0].shape[1:]).numpy()
    return normal * named.get("gain", 1) + named.get("bias", 0)


@each("case", CASES)
def test_every_stage_follows_from_its_operands(case: dict[str, Any]) -> None:
    for stage in walked(case).stages:
        if stage.rule not in ("given", "rotate"):
            np.testing.assert_allclose(stage.result.matrix, follows(stage), atol=2e-5, err_msg=stage.name)


@each("case", CASES)
def test_the_stages_end_in_what_the_model_computes(case: dict[str, Any]) -> None:
    found = walked(case)
    stages = {stage.name: stage.result.matrix for stage in found.stages}
    layer, head = case.get("layer", 0), case.get("head", 0)
    fields = {k: v for k, v in case.items() if k not in ("layer", "head", "source")}
    config = ModelConfig(vocab_size=1, **fields)
    seen = read(load(case.get("source", "random"), config, WORDS, 3)).head(layer, head)

    np.testing.assert_array_equal(stages["softmax"], seen.pattern)
    np.testing.assert_allclose(stages["scores"], seen.dots if config.scale else seen.scores, atol=1e-6)
    np.testing.assert_array_equal(found.scores, seen.scores)
    np.testing.assert_array_equal(found.allowed, seen.allowed)
    assert ("mask" in stages) != seen.allowed.all(), "a stage only where something is masked"
    if "mask" in stages:
        assert ("mask" in stages) != seen.allowed.all(), "a stage only if something is masked"
    if "mask" in stages:
        np.testing.assert_array_equal(np.isfinite(stages["mask"]), seen.allowed)


@each("positions", POSITIONS)
def test_a_stage_names_the_scheme_that_enters_there_and_what_rotates_together(positions: str) -> None:
    scheme = SCHEMES[positions]
    found = walked({"positions": positions, "n_heads": 8, "head": 2})
    speaking = {stage.name: stage.positions for stage in found.stages if stage.positions is not None}
    at = {"embed": ["positions"], "rotate": ["q", "k"], "bias": ["bias"], None: []}
    assert list(speaking) == at[scheme.injection_point()]
    assert all(about == scheme.about_head(2, found.config) for about in speaking.values())
    rotating = [stage for stage in found.stages if stage.rule == "rotate"]
    assert [stage.name for stage in rotating] == (["q", "k"] if scheme.injection_point() == "rotate" else [])
    for stage in rotating:
        assert stage.mixes is not None
        assert len(stage.mixes) == 8
        assert all(column in mixed for column, mixed in enumerate(stage.mixes))


def test_rotary_positions_mix_neighbouring_dimensions() -> None:
    stage = next(one for one in walked({"positions": "rotary", "n_heads": 8}).stages if one.name == "k")
    assert stage.mixes == ((0, 1), (0, 1), (2, 3), (2, 3), (4, 5), (4, 5), (6, 7), (6, 7))


@each("case", CASES)
def test_the_form_for_one_word_is_a_row_of_the_matrix_form(case: dict[str, Any]) -> None:
    at = 3
    for stage in walked(case).stages:
        alone = one_word(stage, at)
        np.testing.assert_array_equal(alone.result.matrix, stage.result.matrix[at : at + 1])
        assert alone.result.rows == (WORDS[at],)
        if stage.rule in ("multiply", "add", "divide", "softmax", "join"):
            np.testing.assert_allclose(alone.result.matrix, follows(alone), atol=2e-5)


def test_the_small_model_has_every_stage_that_the_note_names() -> None:
    config = small(ModelConfig(vocab_size=1, positions="alibi"))
    found = walk(load("random", config, words_of("Zuko made his uncle tea"), 0))
    assert (found.config.d_model, found.config.d_head, found.config.n_layers) == (8, 4, 1)
    assert [stage.name for stage in found.stages] == [
        *("embeddings", "q", "k", "v", "scores", "scale", "bias", "mask", "softmax"),
        *("weighted sum", "heads", "output"),
    ]  # fmt: skip
    assert {stage.name for stage in found.stages if stage.changeable} == {"q", "k", "v", "bias"}


@pytest.mark.parametrize(
    ("fields", "last"),
    [({}, "scale"), ({"scale": False}, "scores"), ({"positions": "alibi", "scale": False}, "bias")],
)
def test_the_last_scores_before_the_mask_can_be_changed(fields: dict[str, Any], last: str) -> None:
    stages = walked(fields).stages
    assert [stage.name for stage in stages if stage.changeable == "scores"] == [last]


@each("layer", [0, 1])
@each(("norm", "first"), [("pre", "norm"), ("post", None), ("none", None)])
def test_only_under_pre_norm_are_the_vectors_normalised_before_the_head(
    norm: str, first: str | None, layer: int
) -> None:
    case = {"norm": norm, "positions": "rotary", "n_layers": 2, "layer": layer}
    names = [stage.name for stage in walked(case).stages]
    assert names[: names.index("q")] == [["embeddings", "states"][layer], *([first] if first else [])]


def test_a_stage_has_the_words_and_dimensions_it_is_about() -> None:
    stages = {stage.name: stage for stage in walked({"positions": "alibi", "n_heads": 8}).stages}
    assert stages["q"].result.rows == WORDS
    assert stages["q"].result.columns == tuple("12345678")
    assert stages["scores"].operands[1].grid.columns == WORDS
    assert stages["embeddings"].operands[1].grid.rows == ("the", "oven", "cooked", "bread", "so", "zzyzx")
    assert [one.offset for one in stages["heads"].operands] == list(range(0, 64, 8))
    assert len(stages["softmax"].result.columns) == 7


def test_words_that_the_model_does_not_know_are_named_and_share_a_vector() -> None:
    found = walk(load("trained", ModelConfig(vocab_size=1), ("qqq", "the", "zzz"), 0))
    assert found.unknown == (0, 2)
    np.testing.assert_array_equal(*found.stages[0].result.matrix[[0, 2]])
    assert found.stages[0].operands[1].grid.rows == ("qqq", "the", "zzz")


def test_a_model_that_others_use_is_left_as_it_was() -> None:
    config = ModelConfig(vocab_size=1)
    before = {k: v.clone() for k, v in load("trained", config, WORDS, 0).model.state_dict().items()}
    walk(load("trained", config, WORDS, 0), changes=[Change("q", 1, 1, 5.0)])
    torch.testing.assert_close(load("trained", config, WORDS, 0).model.state_dict(), before, rtol=0, atol=0)
