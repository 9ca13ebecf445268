"""The program about a real model reads its folder and prints what the reading shows."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.measures.heads.effects import state_changes
from core.measures.reading import read
from core.measures.similarity import similarities
from core.programs import Subject, attention_program
from core.programs.similarity import similarity_program
from core.programs.state_changes import state_changes_program
from core.sources import load
from tests.programs import printed, printed_matrix
from tests.real import NAME, SOURCE, gpt2_folder, one_model


@pytest.mark.parametrize(
    "switches",
    [{}, {"positions": "none", "mask": "causal", "norm": "none"}, {"residual": False, "mlp": False}],
)
def test_the_program_prints_the_weights_of_the_head(switches: dict[str, Any], tiny_model: Path) -> None:
    one = one_model(SOURCE)
    config, words = replace(one.config, **switches), one.split("I don't think the cats run").texts
    subject = Subject(words=words, config=config, source=SOURCE, layer=1, head=2, window=3)
    written = attention_program(subject)
    assert f"folder = 'models/{NAME}'" in written
    shown = printed_matrix(written.replace(f"models/{NAME}", str(tiny_model)), len(words), alone=False)
    expected = read(load(SOURCE, config, words, 0), window=3).pattern(1, 2)
    np.testing.assert_allclose(shown, expected, atol=6e-4)


@pytest.mark.parametrize("switches", [{}, {"positions": "none", "n_layers": 1}])
def test_the_program_prints_how_alike_sentences_are(switches: dict[str, Any], tiny_model: Path) -> None:
    one = one_model(SOURCE)
    config = replace(one.config, **switches)
    first, *others = (one.split(text).texts for text in ("the cats saw", "i don't think the cat", "running?"))
    subject = Subject(words=first, config=config, source=SOURCE)
    written = similarity_program(subject, others).replace(f"models/{NAME}", str(tiny_model))
    shown = [float(line) for line in printed(written, alone=False).splitlines()]
    np.testing.assert_allclose(
        shown,
        similarities(load(SOURCE, config, first, 0), [load(SOURCE, config, other, 0) for other in others]),
        atol=6e-4,
    )


@pytest.mark.parametrize("kind", ["bert", "gpt2"])
def test_the_program_prints_how_far_states_move_without_some_heads(
    kind: str, tiny_model: Path, no_real_model: Path
) -> None:
    source, folder, text = SOURCE, tiny_model, "I don't think the cats run"
    if kind == "gpt2":
        source, folder = "real/second", no_real_model / "second"
        gpt2_folder(folder, trained_on=text)
    one, silenced = one_model(source), [(1, 2), (0, 1), (1, 0)]
    words = one.split(text).texts
    subject = Subject(words=words, config=one.config, source=source, window=2)
    written = state_changes_program(subject, silenced).replace(f"models/{folder.name}", str(folder))
    *pieces, mean, sentence = (line.split() for line in printed(written, alone=False).splitlines())
    expected = state_changes(load(source, one.config, words, 0), silenced=silenced, window=2)
    shown = np.array([line[-2:] for line in pieces], dtype=float)
    np.testing.assert_allclose(shown, np.stack([expected.moved, expected.cosines], 1), atol=6e-5)
    assert float(mean[1]) == pytest.approx(expected.mean, abs=6e-5)
    assert [float(one) for one in sentence[1:]] == pytest.approx(
        [expected.sentence_moved, expected.sentence_cosine], abs=6e-5
    )
