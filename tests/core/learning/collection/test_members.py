"""The collection has a model for every combination of the switches, each trained on what its mask allows."""

from core.learning.collection.members import MEMBERS
from core.model.classifier import ClassifierConfig
from core.model.config import ModelConfig

POOLED = ("last-state", "mean", "maximum")


def test_a_member_is_known_by_its_name_and_sees_no_answers() -> None:
    for name, member in MEMBERS.items():
        assert member.name == name
        assert member.config.vocab_size == len(member.task.vocabulary()), name
        if isinstance(member.config, ModelConfig):
            assert member.config.mask in member.task.masks, name


def test_classifiers_are_two_networks_with_every_pooling_and_a_transformer_that_averages() -> None:
    found = {name for name, member in MEMBERS.items() if isinstance(member.config, ClassifierConfig)}
    assert found == {
        *(f"review-{network}-{pooling}" for network in ("rnn", "lstm") for pooling in POOLED),
        "review-transformer-mean",
    }
