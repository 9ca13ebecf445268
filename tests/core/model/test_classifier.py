"""A classifier pools real words only, and is torch's own network with a pooling worked out by hand."""

import pytest
import torch
from torch import Tensor

from core.model.classifier import POOLINGS, ClassifierConfig, SequenceClassifier
from core.model.config import ModelConfig
from core.model.masks.combining import padding
from core.model.recurrent import NETWORKS, Network, RecurrentConfig
from core.model.recurrent_pair import RecurrentStack
from core.model.trace import Trace
from tests.core.references import noisy, torchs_network
from tests.covering import each

VOCAB, D_MODEL, BATCH, WORDS, LABELS = 11, 12, 3, 7, 5
LENGTHS = torch.tensor([7, 2, 5])
RECURRENT = [RecurrentConfig(vocab_size=VOCAB, network=name, d_model=D_MODEL) for name in NETWORKS]
TRANSFORMER = ModelConfig(vocab_size=VOCAB, d_model=D_MODEL, n_heads=3, n_layers=2, mask="bidirectional")
every_pooling = each("pooling", POOLINGS)
every_encoder = each("encoder", [*RECURRENT, TRANSFORMER])


def tokens_of(words: int = WORDS) -> Tensor:
    return torch.randint(VOCAB, (BATCH, words), generator=torch.Generator().manual_seed(3))


def classifier(encoder: ModelConfig | RecurrentConfig, pooling: str) -> SequenceClassifier:
    return noisy(SequenceClassifier(ClassifierConfig(encoder=encoder, pooling=pooling, n_labels=LABELS)))


@every_pooling
@each("network", NETWORKS)
def test_logits_agree_with_torchs_network_with_the_same_weights(network: Network, pooling: str) -> None:
    config = RecurrentConfig(vocab_size=VOCAB, network=network, d_model=D_MODEL, n_layers=2)
    model, tokens = classifier(config, pooling), tokens_of()
    stack = model.encoder
    assert isinstance(stack, RecurrentStack)
    theirs = torchs_network(stack.layers, network)
    rows = []
    for row, length in zip(tokens, LENGTHS.tolist(), strict=True):
        states, _ = theirs(stack.embed.weight[row[:length]][None])
        one = {"last state": states[0, -1], "mean": states[0].mean(dim=0), "maximum": states[0].max(dim=0)[0]}
        rows.append(model.output.weight @ one[pooling] + model.output.bias)
    found = model(tokens, allowed=padding(LENGTHS, WORDS))
    torch.testing.assert_close(found, torch.stack(rows))


@every_pooling
@every_encoder
def test_padding_changes_nothing(encoder: ModelConfig | RecurrentConfig, pooling: str) -> None:
    model, tokens = classifier(encoder, pooling), tokens_of()
    together = model(tokens, allowed=padding(LENGTHS, WORDS))
    for row, (words, length) in enumerate(zip(tokens, LENGTHS.tolist(), strict=True)):
        torch.testing.assert_close(together[row], model(words[None, :length])[0])


@every_encoder
def test_intermediate_and_pooled_states_are_recorded(encoder: ModelConfig | RecurrentConfig) -> None:
    model, trace = classifier(encoder, "mean"), Trace()
    logits = model(tokens_of(), trace=trace)
    last = "encoder.norm" if isinstance(encoder, ModelConfig) else "encoder.layers.0.hidden"
    torch.testing.assert_close(trace["pooled"], trace[last].mean(dim=1))
    assert trace["encoder.embed"].shape == (BATCH, WORDS, D_MODEL)
    assert trace["logits"] is logits
    assert logits.shape == (BATCH, LABELS)


def test_an_invalid_classifier_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="pooling must be one of last state, mean, maximum, got 'median'"):
        ClassifierConfig(encoder=TRANSFORMER, pooling="median")
    with pytest.raises(ValueError, match="n_labels must be at least 2, got 1"):
        ClassifierConfig(encoder=TRANSFORMER, pooling="mean", n_labels=1)
    nothing = padding(torch.tensor([3, 0, 2]), WORDS)
    with pytest.raises(ValueError, match="every row must have at least one real word"):
        classifier(TRANSFORMER, "mean")(tokens_of(), allowed=nothing)
