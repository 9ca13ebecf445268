"""Changed entries: written in a link, put into the pass, and followed by what comes after them alone."""

import numpy as np
import pytest

from core.measures.stages import LARGEST_VALUE, Change, Walk, parse, small, spelt, walk
from core.model.config import ModelConfig
from core.sources import load
from core.text.tokenizer import words_of
from tests.covering import each

WORDS = words_of("Zuko made his uncle tea")


def walked(*changes: Change, head: int = 0, **fields: object) -> Walk:
    config = small(ModelConfig(vocab_size=1, positions="alibi", **fields))  # type: ignore[arg-type]
    return walk(load("random", config, WORDS, 0), head=head, changes=changes)


def result(found: Walk, name: str) -> np.ndarray:
    return next(stage.result.matrix for stage in found.stages if stage.name == name)


def moved(found: Walk) -> dict[str, int]:
    """How many entries of each stage's result are marked as changed."""
    return {stage.name: int(np.sum(stage.result.changed)) for stage in found.stages}


@each("text", ["q.2.1.-0.5", "scores.12.3.4", "k.1.1.0", "v.256.64.1000", "q.1.10.-1000"])
def test_a_change_is_spelt_as_it_was_written(text: str) -> None:
    assert spelt(parse(text)) == text


def test_a_change_counts_from_one_in_the_link_and_from_zero_here() -> None:
    assert parse("k.2.3.-0.25") == Change("k", 1, 2, -0.25)
    assert spelt(Change("v", 0, 3, -1e-9)) == "v.1.4.0"


@each(
    ("text", "said"),
    [
        ("", "a change is written like"),
        ("q.1.1", "a change is written like"),
        ("pattern.1.1.1", "one of q, k, v, scores"),
        ("q.0.1.1", "a change is written like"),
        ("q.1.00.1", "counted from 1"),
        ("q.1.1.nan", "a change is written like"),
        ("q.1.1.1e3", "a change is written like"),
        ("q.1.1.1001", f"between -{LARGEST_VALUE} and {LARGEST_VALUE}, got 1001"),
        ("q.١.1.1", "a change is written like"),
        ("q.1.1.1\n", "a change is written like"),
    ],
)
def test_what_is_no_change_gets_a_sentence(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        parse(text)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (Change("q", 5, 0, 1), "q has no entry 6.1: it has 5 rows and 4 columns"),
        (Change("v", 0, 4, 1), "v has no entry 1.5: it has 5 rows and 4 columns"),
        (Change("scores", 0, 5, 1), "scores has no entry 1.6: it has 5 rows and 5 columns"),
    ],
)
def test_an_entry_that_is_not_there_is_refused(change: Change, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        walked(change)


def test_a_changed_query_moves_its_own_row_and_no_other() -> None:
    found = walked(Change("q", 3, 1, 2.5))
    assert result(found, "q")[3, 1] == 2.5
    expected = {"embeddings": 0, "q": 1, "k": 0, "v": 0, "scores": 5, "softmax": 4, "weighted sum": 4}
    assert {name: moved(found)[name] for name in expected} == expected
    assert moved(found)["output"] == 8
    for stage in found.stages[4:]:
        assert stage.result.changed is not None
        assert not np.delete(stage.result.changed, 3, axis=0).any(), stage.name
    np.testing.assert_allclose(result(found, "softmax").sum(axis=1), 1, atol=1e-6)


def test_a_changed_key_moves_its_column() -> None:
    found = walked(Change("k", 2, 0, -3.0))
    scores = next(stage.result.changed for stage in found.stages if stage.name == "scores")
    assert scores is not None
    assert scores[:, 2].all()
    assert not np.delete(scores, 2, axis=1).any()


def test_a_changed_score_is_after_scale_and_bias_and_before_the_mask() -> None:
    found = walked(Change("scores", 4, 0, 20.0), Change("scores", 0, 4, 20.0))
    assert result(found, "bias")[4, 0] == 20.0
    assert moved(found)["scale"] == 0
    np.testing.assert_allclose(result(found, "softmax")[4], [1, 0, 0, 0, 0], atol=1e-6)
    assert result(found, "mask")[0, 4] == -np.inf
    np.testing.assert_array_equal(result(found, "softmax")[0], [1, 0, 0, 0, 0])


def test_another_head_keeps_its_part_of_the_joined_heads() -> None:
    plain, changed = walked(head=1), walked(Change("v", 0, 0, 9.0), head=1)
    np.testing.assert_array_equal(result(changed, "heads")[:, :4], result(plain, "heads")[:, :4])
    assert (result(changed, "heads")[:, 4] != result(plain, "heads")[:, 4]).all()


def test_operands_are_marked_as_the_results_they_come_from() -> None:
    stages = {stage.name: stage for stage in walked(Change("q", 3, 1, 2.5)).stages}
    q, k = stages["scores"].operands
    assert q.grid.changed is not None
    assert k.grid.changed is not None
    assert list(zip(*np.nonzero(q.grid.changed), strict=True)) == [(3, 1)]
    assert not k.grid.changed.any()


def test_nothing_is_marked_where_nobody_changed_anything() -> None:
    assert all(stage.result.changed is None for stage in walked().stages)
