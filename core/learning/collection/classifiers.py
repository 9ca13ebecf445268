"""The models that classify reviews: recurrent networks by pooling, and a Transformer."""

from core.learning.tasks import CLASSIFICATION
from core.model.classifier import POOLINGS, ClassifierConfig
from core.model.config import ModelConfig
from core.model.recurrent import NETWORKS, Network, RecurrentConfig

D_MODEL, N_HEADS = 48, 4
TRANSFORMER_POOLING = "mean"
"""Pooling of the Transformer: it averages its states (source 003)."""


def recurrent_classifier(network: Network, pooling: str) -> ClassifierConfig:
    """Return the configuration of a recurrent classifier with a pooling."""
    encoder = RecurrentConfig(
        vocab_size=len(CLASSIFICATION.vocabulary()), network=network, d_model=D_MODEL, n_layers=1
    )
    return ClassifierConfig(encoder=encoder, pooling=pooling)


def transformer_classifier() -> ClassifierConfig:
    """Return one block without a mask: its one layer of attention is all that connects words."""
    encoder = ModelConfig(
        vocab_size=len(CLASSIFICATION.vocabulary()),
        d_model=D_MODEL,
        n_heads=N_HEADS,
        n_layers=1,
        positions="rotary",
        mask="bidirectional",
    )
    return ClassifierConfig(encoder=encoder, pooling=TRANSFORMER_POOLING)


def name_of_classifier(config: ClassifierConfig) -> str:
    """Return the name of a classifier in the collection."""
    encoder = config.encoder
    network = encoder.network if isinstance(encoder, RecurrentConfig) else "transformer"
    return f"review-{network}-{config.pooling.replace(' ', '-')}"


def classifiers() -> dict[str, ClassifierConfig]:
    """Return the configurations of all classifiers by name."""
    recurrent = [recurrent_classifier(network, pooling) for network in NETWORKS for pooling in POOLINGS]
    return {name_of_classifier(config): config for config in (*recurrent, transformer_classifier())}
