"""Beyond training: losses by hand, places that are counted right, and what the models do there."""

import pandas as pd
import pytest
import torch
from torch import Tensor

from core.learning.collection import load_listed_member
from core.measures.positions import extrapolation as beyond
from core.measures.positions.schemes import learned_table
from core.model.config import POSITIONS, ModelConfig
from core.text.language import parse, split_of

CONFIG = ModelConfig(vocab_size=1)


def nothing_found(name: str, what: str) -> None:
    """Hide all shipped measurements."""


@pytest.fixture(scope="module")
def tokens() -> Tensor:
    """Fewer sentences than the page reads."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(beyond, "N_SENTENCES", 2)
        return beyond.long_sentences.__wrapped__()


@pytest.fixture(scope="module")
def few(tokens: Tensor) -> pd.DataFrame:
    """The losses on them, measured here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(beyond, "stored_measurement", nothing_found)
        patch.setattr(beyond, "long_sentences", lambda: tokens)
        return beyond.losses(CONFIG, load_listed_member)


@pytest.mark.long("sentences that were learned from, or are shorter, after a change of the language")
def test_the_sentences_are_long_and_held_out() -> None:
    assert tuple(beyond.long_sentences().shape) == (beyond.N_SENTENCES, beyond.LENGTH)
    assert 4 * learned_table(load_listed_member("causal-learned-4-pre"), seed=0).reach < beyond.LENGTH
    assert {split_of(parse(question.words)) for question in beyond.verb_questions(16)} == {"test"}


def test_the_loss_of_a_word_is_minus_the_logarithm_of_its_probability(tokens: Tensor) -> None:
    model, tokens = load_listed_member("causal-rotary-4-pre"), tokens[:2, :11]
    losses = beyond.word_losses(model, tokens)
    assert tuple(losses.shape) == (2, 10)
    probabilities = model(tokens).softmax(dim=-1)
    expected = -probabilities[1, 6, tokens[1, 7]].log()
    torch.testing.assert_close(losses[1, 6], expected)


def test_each_number_is_the_mean_over_its_sixteen_places(few: pd.DataFrame, tokens: Tensor) -> None:
    losses = beyond.word_losses(load_listed_member("causal-alibi-4-pre"), tokens)
    found = few[few["positions"] == "alibi"].set_index("position")["loss"]
    assert list(found.index[:2]) == [8.5, 24.5]
    assert found.index[-1] == beyond.LENGTH - 7.5
    # Places count from 1, and the first word has no loss: place p is column p − 2.
    assert found[8.5] == pytest.approx(float(losses[:, :15].mean()), abs=1e-6)
    assert found[24.5] == pytest.approx(float(losses[:, 15:31].mean()), abs=1e-6)


def test_beyond_training_alibi_stays_level_and_vectors_for_places_do_not(few: pd.DataFrame) -> None:
    reach = learned_table(load_listed_member("causal-learned-4-pre"), seed=0).reach
    grown = {name: after - before for name, before, after in beyond.before_and_after(few, "position", reach)}
    assert abs(grown["alibi"]) < 0.2
    for positions in ("learned", "sinusoidal", "rotary"):
        assert grown[positions] > 0.3


def test_before_and_after_are_means_of_what_training_reached_and_of_the_last_quarter() -> None:
    table = pd.DataFrame(
        {"positions": ["x"] * 5, "at": [8.5, 40.5, 56.5, 190.0, 230.0], "loss": [1.0, 3.0, 50.0, 7.0, 9.0]}
    )
    assert beyond.before_and_after(table, "at", 58) == [("x", 2.0, 8.0)]


def test_a_verb_near_its_subject_agrees_and_one_far_away_is_asked_about_as_far(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(beyond, "stored_measurement", nothing_found)
    monkeypatch.setattr(beyond, "DISTANCES", (16,))
    table = beyond.verbs(CONFIG, load_listed_member)
    assert tuple(table["positions"]) == tuple(POSITIONS)
    assert set(table["distance"]) == {16}
    assert table["accuracy"].min() > 0.8
    for share, low, high in table[["accuracy", "low", "high"]].to_numpy():
        error = (share * (1 - share) / beyond.N_QUESTIONS) ** 0.5
        assert (low, high) == pytest.approx((share - error, share + error))
    assert all(question.place > 16 for question in beyond.verb_questions(16))
