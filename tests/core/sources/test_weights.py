"""A source gives a model ready to run: frozen, shared, and with a vector for every word typed."""

import pytest
import torch

from core.device import choose_device
from core.learning.collection import load_listed_member
from core.measures.distance import long_range
from core.measures.order import exchange
from core.measures.positions import extrapolation
from core.model.config import ModelConfig
from core.model.initialisation import word_vectors
from core.sources import SOURCES, LoadedModel, UnavailableError, find, load
from core.sources.random_weights import fresh
from core.sources.trained import load_member, record_of_member, records_of_members
from tests.core.references import D_MODEL, config
from tests.covering import each

WORDS = ["the", "oven", "cooked", "the", "bread", "so"]


def loaded_for(words: list[str], *, seed: int = 3, **options: object) -> LoadedModel:
    return load("random", config(**options), words, seed)


def test_the_vocabulary_is_the_distinct_words_in_their_order() -> None:
    loaded = loaded_for(WORDS)
    assert loaded.vocabulary.words == ("the", "oven", "cooked", "bread", "so")
    assert loaded.model.config == config(vocab_size=5)
    tokens = loaded.tokens
    assert loaded.unknown == ()
    assert tokens.tolist() == [[0, 1, 2, 0, 3, 4]]
    assert tokens.device.type == loaded.model.embed.weight.device.type == choose_device().type
    assert loaded.model(tokens).shape == (1, 6, 5)


def test_words_go_in_and_come_out_as_their_own_vectors() -> None:
    model = loaded_for(WORDS).model.cpu()
    vectors = word_vectors(["the", "oven", "cooked", "bread", "so"], D_MODEL, seed=3)
    torch.testing.assert_close(model.embed.weight, vectors, rtol=0, atol=0)
    torch.testing.assert_close(model.unembed.weight, vectors / D_MODEL**0.5)


def test_the_same_seed_gives_the_same_model_and_another_one_another() -> None:
    first, other = (loaded_for(WORDS, seed=seed).model.state_dict() for seed in (1, 2))
    again = fresh(config(), WORDS, 1).model.state_dict()
    assert all(torch.equal(first[name], again[name]) for name in first)
    changed = {name for name in first if not torch.equal(first[name], other[name])}
    assert changed == {name for name in first if name.endswith("weight")}


class Escaped(str):
    """Words as a page has them, which come out otherwise in a sentence."""

    def __format__(self, how: str) -> str:
        return "escaped"


def test_a_second_request_gets_the_same_model_with_plain_words() -> None:
    words = ["asked", "for", "twice"]
    typed = loaded_for([Escaped(word) for word in words])
    assert {type(word) for word in typed.vocabulary.words} == {str}
    assert loaded_for(words).model is typed.model
    assert not any(parameter.requires_grad for parameter in typed.model.parameters())
    assert not any(module.training for module in typed.model.modules())
    assert loaded_for(words, norm="none").model is not typed.model


@each("source", SOURCES)
def test_every_source_keeps_the_architecture_it_was_asked_for(source: str) -> None:
    asked = ModelConfig(vocab_size=1, n_heads=2, n_layers=1, mask="bidirectional", norm="pre", mlp=False)
    loaded = load(source, asked, WORDS, 0)
    assert loaded.model.config.vocab_size == len(loaded.vocabulary)
    assert len(loaded.model.blocks) == 1
    for field in ("n_heads", "n_layers", "mask", "norm", "mlp", "positions"):
        assert getattr(loaded.model.config, field) == getattr(asked, field)


@pytest.mark.usefixtures("damaged_shelf")
@each("heads", [4, 8])
def test_damaged_models_are_unavailable_with_a_remedy(heads: int) -> None:
    asked = ModelConfig(vocab_size=1, n_heads=heads, norm="post")
    for ask in (lambda: load("trained", asked, WORDS, 0), lambda: find("trained").record(asked)):
        with pytest.raises(
            UnavailableError, match=rf"damaged.*collection causal-sinusoidal-{heads}-post` trains"
        ):
            ask()


@pytest.mark.usefixtures("damaged_shelf")
def test_measurements_of_many_models_leave_out_damaged_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    for measuring in (extrapolation, exchange):
        # Shipped results come from undamaged files.
        monkeypatch.setattr(measuring, "stored_measurement", lambda name, what: None)
    asked = ModelConfig(vocab_size=1, n_heads=8)
    assert exchange.accuracies(asked, "who did it", load_listed_member)["accuracy"].isna().all()
    assert extrapolation.verbs(asked, load_listed_member).empty
    with pytest.raises(UnavailableError, match="recall-transformer recall-lstm recall-rnn` trains them"):
        records_of_members(long_range.rivals("recall", asked))
    with pytest.raises(UnavailableError, match="causal-learned-8-pre"):
        record_of_member("causal-learned-8-pre")


@pytest.mark.usefixtures("empty_shelf")
def test_a_model_that_no_switch_chooses_is_missed_by_its_name() -> None:
    with pytest.raises(UnavailableError, match="The model next-word-rnn has not been trained yet") as missed:
        load_member("next-word-rnn")
    assert "switches" not in str(missed.value)
