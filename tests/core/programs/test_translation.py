"""The programs about translation print what core computes for the same model and sentence."""

import numpy as np
import pytest

from core.decoding import Sampling
from core.learning.collection.translators import TranslatorConfig, recurrent_pair, transformer_pair
from core.measures.translation.attending import attending
from core.measures.translation.forcing import expected
from core.measures.translation.knock_out import KnockOut, translate_without
from core.measures.translation.writing import Strategy, write
from core.programs.translation import (
    forcing_program,
    knock_out_program,
    pair_attention_program,
    writing_program,
)
from core.sources.translators import load_translator
from tests.programs import printed

WORDS = ["the", "key", "that", "the", "gardeners", "sold", "is", "heavy", "."]
RIGHT = ["este", "lo", "klavo", "ke", "las", "jardinoras", "ha", "vendit", "gravo", "."]
LSTM, TRANSFORMER = recurrent_pair("lstm", "dot"), transformer_pair(4, 2)


@pytest.mark.parametrize(
    "strategy",
    [
        Strategy(),
        Strategy(way="sampled", sampling=Sampling(temperature=2.0, top_k=10, top_p=0.9), seed=3),
        Strategy(way="beam", width=3),
        Strategy(prefix=("este", "la")),
        Strategy(way="beam", width=2, prefix=("este", "la")),
    ],
    ids=lambda strategy: f"{strategy.way} {' '.join(strategy.prefix)}",
)
def test_a_translation_is_printed_word_by_word(strategy: Strategy) -> None:
    found = write(load_translator(LSTM, WORDS), strategy)
    lines = [
        line.split() for line in printed(writing_program(LSTM, WORDS, strategy), alone=False).splitlines()
    ]
    n = len(strategy.prefix)
    assert tuple(word for word, _ in lines) == found.words[n:]
    expected_numbers = np.cumsum(found.chosen[n:]) if strategy.way == "beam" else np.exp(found.chosen[n:])
    np.testing.assert_allclose([float(number) for _, number in lines], expected_numbers, atol=6e-4)


@pytest.mark.parametrize(
    ("config", "kind", "layer", "head"),
    [
        (LSTM, "cross-attention", 0, 0),
        (TRANSFORMER, "cross-attention", 1, 2),
        (TRANSFORMER, "encoder", 0, 3),
        (TRANSFORMER, "decoder", 1, 1),
    ],
)
def test_the_weights_of_a_head_are_printed(
    config: TranslatorConfig, kind: str, layer: int, head: int
) -> None:
    found = attending(load_translator(config, WORDS), RIGHT)
    weights = {"cross-attention": found.cross, "encoder": found.encoder, "decoder": found.decoder}[kind]
    program = pair_attention_program(config, WORDS, RIGHT, kind=kind, layer=layer, head=head)
    rows = np.array([line.split() for line in printed(program, alone=False).splitlines()], dtype=float)
    np.testing.assert_allclose(rows, weights[layer, head], atol=6e-3)


def test_what_a_wrong_word_does_is_printed() -> None:
    fed, asked = ["este", "la", *RIGHT[2:]], [*RIGHT, "</s>"]
    lines = printed(forcing_program(LSTM, WORDS, fed, asked), alone=False).splitlines()
    assert [line.split()[0] for line in lines] == asked
    found = [float(line.split()[1]) for line in lines]
    np.testing.assert_allclose(found, expected(load_translator(LSTM, WORDS), fed, asked), atol=6e-4)


def test_a_translation_without_some_parts_is_printed() -> None:
    missing = KnockOut(4, frozenset({(1, 2), (0, 3)}), frozenset({0}))
    written = printed(knock_out_program(TRANSFORMER, WORDS, missing), alone=False)
    assert tuple(written.split()) == translate_without(load_translator(TRANSFORMER, WORDS), missing)
