"""The programs of the page step by step print what core computes."""

from typing import Any

import numpy as np
import pytest

from core.measures.stages.walk import Change, small, walk
from core.model.config import ModelConfig
from core.programs import Subject
from core.programs.steps import stage_program
from core.sources import load
from core.sources.by_hand import by_hand
from core.text.tokenizer import words_of
from pages.step_by_step.changes import parse
from tests.programs import printed_matrix

WORDS = words_of("Zuko made his uncle tea")

CHANGES = ("q.5.2.2.5", "scores.3.1.-1", "v.1.1.9")

CASES: list[dict[str, Any]] = [
    {"source": "by hand", "head": 1},
    {"source": "by hand", "changes": ("q.5.2.2.5",)},
    {"small": True, "positions": "sinusoidal"},
    {"small": True, "positions": "alibi", "head": 1, "changes": CHANGES},
    {"source": "trained", "positions": "rotary", "layer": 1, "head": 2},
    {"positions": "learned", "norm": "post", "mask": "bidirectional", "n_types": 2, "embed_norm": True},
    {"positions": "alibi", "embed_norm": True, "head": 3},
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_program_of_every_stage_prints_its_matrix(case: dict[str, Any]) -> None:
    subject, changes = made(case)

    found = walk(
        load(subject.source, subject.config, WORDS, subject.seed),
        layer=subject.layer,
        head=subject.head,
        changes=changes,
    )

    assert len(found.stages) >= 10
    for stage in found.stages:
        expected = stage.result.matrix
        rows = printed_matrix(stage_program(subject, stage.name, changes), expected.shape[1])
        np.testing.assert_allclose(rows, expected, atol=6e-4, err_msg=stage.name)


def made(case: dict[str, Any]) -> tuple[Subject, list[Change]]:
    apart = ("small", "source", "layer", "head", "changes")
    config = ModelConfig(vocab_size=1, **{k: v for k, v in case.items() if k not in apart})
    shaped = by_hand(config) if case.get("source") == "by hand" else config
    subject = Subject(
        words=WORDS,
        config=small(config) if case.get("small") else shaped,
        source=case.get("source", "random"),
        seed=0 if case.get("source") else 4,
        layer=case.get("layer", 0),
        head=case.get("head", 0),
    )
    return subject, [parse(text) for text in case.get("changes", ())]
