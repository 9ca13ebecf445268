"""The programs about generation print what core computes for the same models and text."""

from dataclasses import replace

import numpy as np
import pytest

from core.decoding import Sampling
from core.measures.generation.costs import ANEW, KEPT, LENGTHS
from core.measures.generation.writing import WRITERS, GenerationSettings, continue_text, member_of
from core.model.config import ModelConfig
from core.programs.generation import (
    continuing_program,
    word_times_program,
)
from core.sources.rivals import load_language_model
from tests.programs import printed

CONFIG = ModelConfig(vocab_size=1, positions="rotary")
GIVEN = ("the", "chef", "who", "ate", "snark")


@pytest.mark.parametrize(
    "manner",
    [
        GenerationSettings(),
        GenerationSettings(most=5, stops=False, forced=((1, "."), (3, "key"))),
        GenerationSettings(way="sampled", sampling=Sampling(temperature=1.5, top_k=50, top_p=0.95), seed=4),
        GenerationSettings(way="sampled", seed=2, most=9, forced=((2, "<unk>"),)),
    ],
)
def test_a_text_is_printed_word_by_word(manner: GenerationSettings) -> None:
    manners = {writer: replace(manner, forced=manner.forced[:at]) for at, writer in enumerate(WRITERS)}
    lines = printed(continuing_program(GIVEN, CONFIG, manners), alone=False).splitlines()
    found = {
        writer: continue_text(load_language_model(member_of(writer, CONFIG)), GIVEN, one)
        for writer, one in manners.items()
    }
    expected = []
    for writer, text in found.items():
        for step, word in enumerate(text.written):
            chosen = text.choices(step).query("answer")["before"].item()
            expected.append((member_of(writer, CONFIG), word, chosen))
    assert [tuple(line.split()[:2]) for line in lines] == [(name, word) for name, word, _ in expected]
    np.testing.assert_allclose(
        [float(line.split()[2]) for line in lines], [p for *_, p in expected], atol=6e-4
    )


@pytest.mark.long("that the program which measures runs: what it calls is tested elsewhere")
def test_times_are_printed_of_every_model_and_length() -> None:
    lines = printed(word_times_program(CONFIG), alone=False).splitlines()
    names = ("RNN", "LSTM", KEPT, ANEW)
    expected = [(name, str(n)) for n in LENGTHS for name in names]
    assert [tuple(line.rsplit(maxsplit=2)[:2]) for line in lines] == expected
    assert all(float(line.split()[-1]) > 0 for line in lines)
