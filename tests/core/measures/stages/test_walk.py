"""A walk through a head: each stage follows from its operands, and changes affect the later stages."""

from typing import Any

import numpy as np
import pytest
import torch

from core.measures.reading import read
from core.measures.stages.stage import MASKED, Change, Stage, one_word
from core.measures.stages.walk import Walk, small, walk
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
    # As Qwen3 compares, with rotary positions and without.
    {"positions": "rotary", "qk_norm": True, "norm_kind": "rms", "n_kv_heads": 2, "head": 3},
    {"positions": "none", "qk_norm": True, "norm_kind": "rms", "bias": False, "window": 2},
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
    norm = {"LN": torch.nn.functional.layer_norm, "RMS": torch.nn.functional.rms_norm}
    normal = norm[stage.operands[0].before](torch.from_numpy(grids[0]), grids[0].shape[1:], eps=1e-5).numpy()
    return normal * named.get("gain", 1) + named.get("bias", 0)


@each("case", CASES)
def test_every_stage_follows_from_its_operands_for_one_word_too_and_the_last_is_the_models(
    case: dict[str, Any],
) -> None:
    found, at = walked(case), 3
    for stage in found.stages:
        alone = one_word(stage, at)
        np.testing.assert_array_equal(alone.result.matrix, stage.result.matrix[at : at + 1])
        assert alone.result.rows == (WORDS[at],)
        if stage.rule not in ("given", "rotate"):
            np.testing.assert_allclose(stage.result.matrix, follows(stage), atol=2e-5, err_msg=stage.name)
        if stage.rule in ("multiply", "add", "divide", "softmax", "join"):
            np.testing.assert_allclose(alone.result.matrix, follows(alone), atol=2e-5)

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
        np.testing.assert_array_equal(np.isfinite(stages["mask"]), seen.allowed)


@each("positions", POSITIONS)
def test_a_stage_names_its_position_scheme_and_the_pairs_that_rotate_together(positions: str) -> None:
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


def test_scores_of_one_word_are_called_masked_only_if_the_mask_hides_one_of_them() -> None:
    stages = {stage.name: stage for stage in walked({"mask": "causal"}).stages}
    last = len(WORDS) - 1
    for at, expected in ((0, MASKED), (last, stages["scale"].symbol)):
        mask, softmax = (one_word(stages[name], at) for name in ("mask", "softmax"))
        assert (mask.symbol, softmax.operands[0].name) == (expected, expected)
    assert stages["softmax"].operands[0].name == MASKED


def test_words_that_the_model_does_not_know_are_named_and_share_a_vector() -> None:
    found = walk(load("trained", ModelConfig(vocab_size=1), ("qqq", "the", "zzz"), 0))
    assert found.unknown == (0, 2)
    np.testing.assert_array_equal(*found.stages[0].result.matrix[[0, 2]])
    assert found.stages[0].operands[1].grid.rows == ("qqq", "the", "zzz")


TEA = words_of("Zuko made his uncle tea")


def changed(*changes: Change, head: int = 0, **fields: object) -> Walk:
    config = small(ModelConfig(vocab_size=1, positions="alibi", **fields))  # type: ignore[arg-type]
    return walk(load("random", config, TEA, 0), head=head, changes=changes)


def result(found: Walk, name: str) -> np.ndarray:
    return next(stage.result.matrix for stage in found.stages if stage.name == name)


def moved(found: Walk) -> dict[str, int]:
    """Return how many entries of each stage's result are marked as changed."""
    return {stage.name: int(np.sum(stage.result.changed)) for stage in found.stages}


@each(
    ("change", "said"),
    [
        (Change("q", 5, 0, 1), "q has no entry 6.1: it has 5 rows and 4 columns"),
        (Change("v", 0, 4, 1), "v has no entry 1.5: it has 5 rows and 4 columns"),
        (Change("scores", 0, 5, 1), "scores has no entry 1.6: it has 5 rows and 5 columns"),
    ],
)
def test_an_entry_that_is_not_there_is_refused(change: Change, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        changed(change)


def test_a_changed_query_moves_its_own_row_and_no_other() -> None:
    found = changed(Change("q", 3, 1, 2.5))
    assert result(found, "q")[3, 1] == 2.5
    expected = {"embeddings": 0, "q": 1, "k": 0, "v": 0, "scores": 5, "softmax": 4, "weighted sum": 4}
    assert {name: moved(found)[name] for name in expected} == expected
    assert moved(found)["output"] == 8
    for stage in found.stages[4:]:
        assert stage.result.changed is not None
        assert not np.delete(stage.result.changed, 3, axis=0).any(), stage.name
    np.testing.assert_allclose(result(found, "softmax").sum(axis=1), 1, atol=1e-6)


def test_a_changed_score_is_after_scale_and_bias_and_before_the_mask() -> None:
    found = changed(Change("scores", 4, 0, 20.0), Change("scores", 0, 4, 20.0))
    assert result(found, "bias")[4, 0] == 20.0
    assert moved(found)["scale"] == 0
    np.testing.assert_allclose(result(found, "softmax")[4], [1, 0, 0, 0, 0], atol=1e-6)
    assert result(found, "mask")[0, 4] == -np.inf
    np.testing.assert_array_equal(result(found, "softmax")[0], [1, 0, 0, 0, 0])
