"""How far gradients reach: finite differences, exponentials by hand, and no change to what is shared."""

from collections.abc import Callable
from itertools import islice

import numpy as np
import pytest
import torch
from torch import Tensor

from core.learning.collection import MEMBERS, take
from core.learning.collection.making import begin
from core.learning.training import Model
from core.measures.distance.long_range import rivals
from core.measures.gradients.distance import (
    FURTHEST,
    INITIAL,
    TRAINED,
    copy_of,
    exponential,
    long_text,
    mean_length,
    norms_back,
    norms_of,
    reach,
)
from core.model.config import ModelConfig
from core.model.initialisation import initialise
from core.model.models import Transformer
from core.model.recurrent import NETWORKS, RecurrentConfig, RecurrentLanguageModel
from core.model.trace import Trace
from core.text import language

VOCAB, D_MODEL = 13, 6
TOKENS = torch.tensor([[3, 11, 4, 11, 5]])
STEP = 1e-6
WORDS = ("the", "chef", "sleeps", ".")


def recurrent(network: str, *, n_layers: int = 2) -> RecurrentLanguageModel:
    config = RecurrentConfig(vocab_size=VOCAB, network=network, d_model=D_MODEL, n_layers=n_layers)
    model = RecurrentLanguageModel(config)
    initialise(model, seed=3)
    return model.double().requires_grad_(False)


def transformer() -> Transformer:
    model = Transformer(ModelConfig(vocab_size=VOCAB, d_model=D_MODEL, n_heads=3, d_mlp=7))
    initialise(model, seed=3)
    return model.double().requires_grad_(False)


MODELS: dict[str, Callable[[], Model]] = {
    **{network: lambda network=network: recurrent(network) for network in NETWORKS},
    "transformer": transformer,
}


def last_state(model: Model, vectors: Tensor) -> np.ndarray:
    """The state of the last word for these word vectors, as the output layer is given it."""
    trace = Trace(edits={"embed": lambda _: vectors})
    model(TOKENS, trace=trace)
    return trace["norm" if isinstance(model, Transformer) else "layers.1.hidden"][0, -1].numpy()


@pytest.mark.parametrize("make", MODELS.values(), ids=MODELS)
def test_the_norms_are_those_of_finite_differences(make: Callable[[], Model]) -> None:
    model, trace = make(), Trace()
    model(TOKENS, trace=trace)
    vectors, n = trace["embed"], TOKENS.shape[1]
    expected = []
    for back in range(n):
        jacobian = np.zeros((D_MODEL, D_MODEL))
        for dimension in range(D_MODEL):
            step = torch.zeros_like(vectors)
            step[0, n - 1 - back, dimension] = STEP
            ends = (last_state(model, vectors + sign * step) for sign in (1, -1))
            jacobian[:, dimension] = np.subtract(*ends) / (2 * STEP)
        expected.append(np.linalg.svd(jacobian, compute_uv=False)[0])
    np.testing.assert_allclose(norms_back(model, TOKENS), expected, rtol=1e-6)


def test_the_factor_per_word_is_that_of_the_exponential() -> None:
    distances = np.arange(30)
    assert exponential(7 * 0.8**distances).factor == pytest.approx(0.8)
    assert exponential(np.where(distances == 0, 1e9, 7 * 1.25**distances)).factor == pytest.approx(1.25)
    assert exponential(np.where(distances == 5, 0, 0.8**distances)).factor == pytest.approx(0.8)
    assert np.isnan(exponential([1.0, 2.0]).factor)
    assert np.isnan(exponential([1.0, 0.0, 0.0]).factor)


def test_how_well_an_exponential_fits_is_the_square_of_a_correlation() -> None:
    distances, drawn = np.arange(29), np.random.default_rng(3)
    for spread in (0.1, 1, 10):
        logs = -0.1 * distances + spread * drawn.standard_normal(29)
        expected = np.corrcoef(distances[1:], logs[1:])[0, 1] ** 2
        assert exponential(np.exp(logs)).r_squared == pytest.approx(expected)
    assert exponential(7 * 0.8**distances).r_squared == pytest.approx(1)
    assert exponential(np.ones(29)).r_squared == 1
    assert exponential(7 * 0.8**distances).fits
    assert not exponential(np.exp(np.abs(distances - 14.5))).fits
    assert not exponential([1.0, 2.0]).fits
    assert np.isnan(exponential([1.0, 2.0]).r_squared)


def test_the_text_ends_in_what_was_typed_and_nobody_was_trained_on_the_rest() -> None:
    text = long_text(WORDS, 53)
    assert len(text) == 53
    assert text[-4:] == WORDS
    first, second = (one.words for one in islice(language.sentences(0, split="test"), 2))
    assert text[-4 - len(first) : -4] == first
    assert text[-4 - len(first) - len(second) : -4 - len(first)] == second
    assert long_text(WORDS, 31) == text[-31:], "what is near stays as it is where more is read"
    assert text[-5] in (".", "?", "!"), "what comes before is not cut off where the sentence typed begins"
    assert long_text(tuple("abcdefg"), 3) == ("e", "f", "g")
    assert language.encode(text).unknown == ()


def test_nothing_changes_a_model_that_all_share() -> None:
    shared = take("next-word-rnn")
    before = {name: value.clone() for name, value in shared.named_parameters()}
    copy = copy_of(shared, seed=5)
    reach(WORDS, {"RNN": shared}, seed=7, furthest=5, measure=norms_of)
    assert take("next-word-rnn") is shared
    for name, value in shared.named_parameters():
        assert torch.equal(value, before[name])
        assert value.dtype == torch.float32
    assert {value.dtype for value in copy.parameters()} == {torch.float64}


@pytest.mark.parametrize("member", ["next-word-rnn", "causal-sinusoidal-4-pre"])
def test_seed_0_is_where_the_training_of_the_collection_began(member: str) -> None:
    start = begin(MEMBERS[member].config, MEMBERS[member].task, MEMBERS[member].recipe).model
    found = copy_of(take(member), seed=0)
    torch.testing.assert_close(found.state_dict(), copy_of(start).state_dict())


def test_each_stage_of_each_network_is_measured_with_its_own_weights() -> None:
    text, asked = long_text(WORDS, 6), []

    def measure(*given: object) -> np.ndarray:
        asked.append(given)
        return np.array([len(asked)])

    names = {"A": "a", "B": "b"}
    found = reach(WORDS, names, seed=7, furthest=5, measure=measure)
    assert asked == [("a", text, 7), ("b", text, 7), ("a", text, None), ("b", text, None)]
    assert list(found.norms) == [(name, stage) for stage in (INITIAL, TRAINED) for name in names]
    assert [int(norms[0]) for norms in found.norms.values()] == [1, 2, 3, 4]


@pytest.mark.long("files that change only when the collection is trained anew: models that show it no more")
def test_an_rnn_forgets_exponentially_and_attention_does_not() -> None:
    names = rivals("agreement", ModelConfig(vocab_size=1))
    models = {network: take(name) for network, name in names.items()}
    found = reach(WORDS, models, seed=0, furthest=FURTHEST[1], measure=norms_of)
    assert len(found.words) == FURTHEST[1] + 1
    assert all(norms.shape == (FURTHEST[1] + 1,) for norms in found.norms.values())
    assert not any(norms.flags.writeable for norms in found.norms.values())
    factors = {name: exponential(norms).factor for name, norms in found.norms.items()}
    assert factors["RNN", INITIAL] < 0.8
    assert factors["RNN", TRAINED] < 0.8
    assert factors["LSTM", INITIAL] < 0.8
    assert factors["RNN", TRAINED] < factors["LSTM", TRAINED] < 1
    assert 0.97 < factors["Transformer", INITIAL] < 1.03
    assert 0.97 < factors["Transformer", TRAINED] < 1.03


def test_sentences_are_far_shorter_than_the_text() -> None:
    lengths = [len(one.words) for one in islice(language.sentences(seed=0), 1000)]
    assert mean_length() == pytest.approx(np.mean(lengths))
    assert 5 < mean_length() < FURTHEST[0]
