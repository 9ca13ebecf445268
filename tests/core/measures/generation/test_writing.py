"""Language models at work: every written word is expected by the model, and surprisal is its loss."""

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
import torch
from torch.nn.functional import cross_entropy

from core.decoding import LanguageModel, Sampling
from core.measures.generation.writing import (
    ENDS,
    WRITERS,
    GeneratedText,
    GenerationSettings,
    continue_text,
    member_of,
    surprisals,
)
from core.model.config import ModelConfig
from core.sources.trained import load_language_model
from core.text import language
from core.text.tokenizer import MAX_WORDS
from tests.covering import each

CONFIG = ModelConfig(vocab_size=1)
ODD = ModelConfig(vocab_size=1, positions="alibi", n_heads=2, norm="post")
GIVEN = ("the", "chef", "who", "ran")
pytestmark = pytest.mark.usefixtures("noise_shelf")


def load_writer(writer: str, config: ModelConfig) -> LanguageModel:
    return load_language_model(member_of(writer, config))


def writers(config: ModelConfig) -> dict[str, LanguageModel]:
    return {writer: load_writer(writer, config) for writer in WRITERS}


def go_on(writer: str, config: ModelConfig, manner: GenerationSettings) -> GeneratedText:
    return continue_text(load_writer(writer, config), GIVEN, manner)


def expected_after(writer: str, words: tuple[str, ...]) -> torch.Tensor:
    """Logits of the next word, from a pass over all words."""
    model = load_writer(writer, ODD)
    with torch.inference_mode():
        return model(language.encode(words).tokens)[0, -1]


@each("writer", WRITERS)
def test_a_greedy_text_has_the_likeliest_word_at_every_step(writer: str) -> None:
    found = go_on(writer, ODD, GenerationSettings(most=5, stops=False))
    assert found.words[: found.n_given] == GIVEN
    assert len(found.written) == len(found.log_probabilities) == 5
    for step, word in enumerate(found.written):
        row = expected_after(writer, found.words[: len(GIVEN) + step])
        assert word == language.vocabulary().words[int(row.argmax())]
        np.testing.assert_allclose(found.log_probabilities[step], row.double().log_softmax(0), atol=1e-5)
        assert found.choices(step)["word"][0] == word
        assert found.choices(step)["answer"].tolist() == [True] + [False] * (len(row) - 1)


def test_the_distribution_of_sampled_words_is_shown() -> None:
    sampling = Sampling(temperature=0.6, top_k=5)
    manner = GenerationSettings(way="sampled", sampling=sampling, seed=3, most=5, stops=False)
    found = go_on("LSTM", CONFIG, manner)
    assert found.drawn is not None
    for step, word in enumerate(found.written):
        table = found.choices(step).set_index("word")
        assert table["after"][word] > 0
        assert (table["after"] > 0).sum() == 5
        assert table["after"].sum() == pytest.approx(1)
        warm = table["before"] ** (1 / 0.6)
        left = warm.nlargest(5)
        np.testing.assert_allclose(table["after"][left.index], left / left.sum(), atol=1e-5)
    assert go_on("LSTM", CONFIG, manner).words == found.words
    others = {go_on("LSTM", CONFIG, replace(manner, seed=s)).words for s in (4, 5)}
    assert len(others | {found.words}) > 1


def test_a_forced_word_changes_what_follows_and_nothing_before() -> None:
    own = go_on("Transformer", ODD, GenerationSettings(most=4, stops=False))
    other = next(word for word in own.choices(2)["word"] if word != own.written[2])
    manner = GenerationSettings(most=4, stops=False, forced=((2, other), (9, "key")))
    found = go_on("Transformer", ODD, manner)
    assert found.written[:3] == (*own.written[:2], other)
    assert found.forced == {2}
    assert found.choices(2).query("answer")["word"].item() == other
    np.testing.assert_allclose(found.log_probabilities[2], own.log_probabilities[2], atol=1e-5)
    row = expected_after("Transformer", found.words[: len(GIVEN) + 3])
    assert found.written[3] == language.vocabulary().words[int(row.argmax())]


def test_a_text_stops_at_the_first_mark_unless_it_is_to_go_on() -> None:
    for mark in ENDS:
        manner = GenerationSettings(most=5, forced=((1, mark),))
        stopped = go_on("LSTM", CONFIG, manner)
        assert stopped.ended
        assert len(stopped.written) <= 2
        assert len(go_on("LSTM", CONFIG, replace(manner, stops=False)).written) == 5
    after_mark = continue_text(load_writer("LSTM", CONFIG), (*GIVEN, "."), GenerationSettings(most=1))
    assert len(after_mark.written) == 1, "a mark that was given ends nothing"


def test_no_text_gets_longer_than_the_app_can_show_and_unknown_words_are_read_as_such() -> None:
    long = ("the", "snark") * (MAX_WORDS // 2 - 1)
    found = continue_text(load_writer("Transformer", CONFIG), long, GenerationSettings(most=12, stops=False))
    assert len(found.words) == MAX_WORDS
    assert found.unknown == tuple(range(1, MAX_WORDS - 2, 2))
    full = continue_text(load_writer("RNN", CONFIG), ("the",) * MAX_WORDS, GenerationSettings(way="sampled"))
    assert (full.written, full.ended, full.drawn) == ((), False, None)
    assert full.log_probabilities.shape[0] == 0


@each("writer", WRITERS)
def test_surprisal_is_the_cross_entropy_of_each_word(writer: str) -> None:
    words = (*GIVEN, "snark", "of", "flour", ".")
    found = surprisals(writers(ODD), words)
    tokens = language.encode(words).tokens
    with torch.inference_mode():
        expected = cross_entropy(load_writer(writer, ODD)(tokens)[0, :-1], tokens[0, 1:], reduction="none")
    nats = found.nats[writer]
    scored = [1, 2, 3, 5, 6, 7]
    assert np.isfinite(nats).nonzero()[0].tolist() == scored
    np.testing.assert_allclose(nats[scored], expected[[at - 1 for at in scored]], rtol=1e-5)
    np.testing.assert_allclose(found.probabilities(writer)[scored], np.exp(-nats[scored]))
    assert found.perplexities()[writer] == pytest.approx(
        float(expected[[0, 1, 2, 4, 5, 6]].mean().exp()), rel=1e-5
    )
    assert found.perplexities(3)[writer] == pytest.approx(float(expected[:2].mean().exp()), rel=1e-5)
    assert found.perplexities(1) == {}


def test_every_sentence_of_the_language_ends_in_a_mark_and_has_none_before() -> None:
    """The note about a model that writes on beyond the mark."""
    drawn = list(islice(language.sentences(1, split="train"), 500))
    assert {sentence.words[-1] for sentence in drawn} == set(ENDS)
    assert not [sentence for sentence in drawn if set(ENDS) & set(sentence.words[:-1])]
