"""Gradients over words: finite differences, a fitted exponential, and nothing where no path leads."""

from itertools import islice

import numpy as np
import pytest
import torch
from torch import Tensor

from core.learning.collection import MEMBERS, load_listed_member
from core.learning.collection.member_training import new_training
from core.learning.training import Model
from core.measures.gradients.distance import (
    Influences,
    copy_of,
    fit_exponential,
    gradient_norms_by_network,
    influence,
    influences,
    long_text,
    norms_back,
    norms_of,
    word_jacobians,
)
from core.model.config import ModelConfig
from core.model.initialisation import initialise
from core.model.models import Transformer
from core.model.recurrent import NETWORKS, Network, RecurrentConfig, RecurrentLanguageModel
from core.model.trace import Trace
from core.text import language
from tests.covering import each

VOCAB, N_WORDS = 17, 7
TOKENS = torch.tensor([[3, 11, 4, 11, 5, 0, 16]])


def transformer(**fields: object) -> Transformer:
    config = {"vocab_size": VOCAB, "d_model": 10, "n_heads": 5, "d_mlp": 13, **fields}
    model = Transformer(ModelConfig(**config))  # type: ignore[arg-type]
    initialise(model, seed=3)
    return model.double().requires_grad_(False)


def recurrent(network: Network, *, n_layers: int = 2) -> RecurrentLanguageModel:
    model = RecurrentLanguageModel(
        RecurrentConfig(vocab_size=VOCAB, network=network, d_model=11, n_layers=n_layers)
    )
    initialise(model, seed=3)
    return model.double().requires_grad_(False)


every_model = each(
    "model",
    [
        transformer(positions="rotary"),
        transformer(mask="bidirectional", norm="post"),
        transformer(positions="relative", tied=True, n_layers=3),
        *(recurrent(network) for network in NETWORKS),
    ],
)


def word_vectors(model: Model) -> Tensor:
    trace = Trace()
    model(TOKENS, trace=trace)
    return trace["embed"][0]


@every_model
@each("target", [4, N_WORDS - 1])
def test_jacobians_and_their_norms_agree_with_torch_and_queries_see_no_further_than_the_mask(
    model: Model, target: int
) -> None:
    where = "norm" if isinstance(model, Transformer) else f"layers.{model.config.n_layers - 1}.hidden"

    def state(vectors: Tensor) -> Tensor:
        trace = Trace(edits={"embed": lambda _: vectors[None]})
        model(TOKENS, trace=trace)
        return trace[where][0, target]

    expected = torch.autograd.functional.jacobian(state, word_vectors(model)).transpose(0, 1)
    torch.testing.assert_close(word_jacobians(model, TOKENS, target), expected)
    found = influence(model, TOKENS, target)
    torch.testing.assert_close(found, expected.square().sum(dim=(1, 2)).sqrt())
    sees_all = isinstance(model, Transformer) and model.config.mask == "bidirectional"
    reach = N_WORDS if sees_all else target + 1
    assert (found[:reach] > 0).all()
    assert found[reach:].tolist() == [0.0] * (N_WORDS - reach)
    if target == N_WORDS - 1:
        largest = torch.linalg.svdvals(expected)[:, 0].flip(0)
        np.testing.assert_allclose(norms_back(model, TOKENS), largest)


CHEF = ["The", "chef", "who", "xyzzied", "the", "stores", "is"]


def test_influences_agree_with_each_model_and_later_words_have_none() -> None:
    tokens = language.encode(CHEF).tokens
    names = {"Transformer": "causal-sinusoidal-4-pre", "LSTM": "next-word-lstm", "RNN": "next-word-rnn"}
    models = {network: load_listed_member(name) for network, name in names.items()}
    found = influences(models, tokens, 3)
    assert list(found.norms) == list(names)
    for network, model in models.items():
        np.testing.assert_allclose(found.norms[network], influence(model, tokens, 3), rtol=1e-5)
    shares = found.shares()
    np.testing.assert_allclose(shares.sum(axis=1), 1, rtol=1e-5)
    assert (shares[:, 4:] == 0).all()
    assert (shares[:, :4] > 0).all()


def test_shares_of_norms_that_no_float_could_add_up_are_still_shares() -> None:
    largest = np.full(4, np.finfo(np.float32).max)
    np.testing.assert_array_equal(Influences({"one": largest}).shares(), [[0.25] * 4])


@each("norms", [[0, 0], [np.inf, 1], [np.nan, 1]])
@pytest.mark.filterwarnings("error")
def test_norms_that_have_no_shares_are_passed_over_in_silence(norms: list[float]) -> None:
    found = Influences({"one": np.array([3, 1], np.float32), "none": np.array(norms, np.float32)})
    np.testing.assert_array_equal(found.shares(), [[0.75, 0.25], [np.nan, np.nan]])
    np.testing.assert_array_equal(found.mean_distances(0), [0.25, np.nan])


def test_influence_comes_from_as_far_as_its_shares_say() -> None:
    found = Influences({"one": np.array([0.0, 3.0, 1.0, 0.0]), "other": np.array([2.0, 0.0, 0.0, 2.0])})
    np.testing.assert_allclose(found.mean_distances(1), [0.25, 1.5])
    np.testing.assert_allclose(found.mean_distances(3), [1.75, 1.5])


WORDS = ("the", "chef", "sleeps", ".")


def test_the_factor_per_word_agrees_with_the_exponential() -> None:
    distances = np.arange(30)
    assert fit_exponential(7 * 0.8**distances).factor == pytest.approx(0.8)
    assert fit_exponential(np.where(distances == 0, 1e9, 7 * 1.25**distances)).factor == pytest.approx(1.25)
    assert fit_exponential(np.where(distances == 5, 0, 0.8**distances)).factor == pytest.approx(0.8)
    assert np.isnan(fit_exponential([1.0, 2.0]).factor)
    assert np.isnan(fit_exponential([1.0, 0.0, 0.0]).factor)


def test_how_well_an_exponential_fits_is_the_square_of_a_correlation() -> None:
    distances, drawn = np.arange(29), np.random.default_rng(3)
    for spread in (0.1, 1, 10):
        logs = -0.1 * distances + spread * drawn.standard_normal(29)
        expected = np.corrcoef(distances[1:], logs[1:])[0, 1] ** 2
        assert fit_exponential(np.exp(logs)).r_squared == pytest.approx(expected)
    assert fit_exponential(7 * 0.8**distances).r_squared == pytest.approx(1)
    assert fit_exponential(np.ones(29)).r_squared == 1
    assert fit_exponential(7 * 0.8**distances).fits
    assert not fit_exponential(np.exp(np.abs(distances - 14.5))).fits
    assert not fit_exponential([1.0, 2.0]).fits
    assert np.isnan(fit_exponential([1.0, 2.0]).r_squared)


def test_the_text_ends_in_the_typed_words_and_the_rest_is_held_out() -> None:
    text = long_text(WORDS, 53)
    assert len(text) == 53
    assert text[-4:] == WORDS
    first, second = (one.words for one in islice(language.sentences(0, split="test"), 2))
    assert text[-4 - len(first) : -4] == first
    assert text[-4 - len(first) - len(second) : -4 - len(first)] == second
    assert long_text(WORDS, 31) == text[-31:], "near influences do not change with more text"
    assert text[-5] in (".", "?", "!"), "earlier text is not cut off at the typed sentence"
    assert long_text(tuple("abcdefg"), 3) == ("e", "f", "g")
    assert language.encode(text).unknown == ()


def test_nothing_changes_a_model_that_all_share() -> None:
    shared = load_listed_member("next-word-rnn")
    before = {name: value.clone() for name, value in shared.named_parameters()}
    copy = copy_of(shared, seed=5)
    gradient_norms_by_network(WORDS, {"RNN": shared}, seed=7, furthest=5, measure=norms_of)
    assert load_listed_member("next-word-rnn") is shared
    for name, value in shared.named_parameters():
        assert torch.equal(value, before[name])
        assert value.dtype == torch.float32
    assert {value.dtype for value in copy.parameters()} == {torch.float64}


@each("member", ["next-word-rnn", "causal-sinusoidal-4-pre"])
def test_seed_0_is_where_the_training_of_the_collection_began(member: str) -> None:
    start = new_training(MEMBERS[member].config, MEMBERS[member].task, MEMBERS[member].recipe).model
    found = copy_of(load_listed_member(member), seed=0)
    torch.testing.assert_close(found.state_dict(), copy_of(start).state_dict())
