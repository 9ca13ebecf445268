"""The collection's classifiers, and a review as they read it."""

from collections.abc import Sequence
from dataclasses import dataclass

from jaxtyping import Int
from torch import Tensor

from core.device import device_of
from core.learning.checkpoints import Record
from core.learning.collection.classifiers import name_of_classifier
from core.model.classifier import ClassifierConfig, SequenceClassifier
from core.sources.trained import load_member, record_of_member
from core.text import language


@dataclass(frozen=True)
class LoadedClassifier:
    """A classifier ready to read the `words` of a review, shared by all visitors."""

    model: SequenceClassifier
    words: tuple[str, ...]
    tokens: Int[Tensor, "1 position"]
    unknown: tuple[int, ...]


def load_classifier(config: ClassifierConfig, words: Sequence[str]) -> LoadedClassifier:
    """Return the classifier of a configuration with a review; raises UnavailableError."""
    model = load_member(name_of_classifier(config))
    assert isinstance(model, SequenceClassifier), "the collection says so"
    encoding = language.encode(words)
    return LoadedClassifier(model, tuple(words), encoding.tokens.to(device_of(model)), encoding.unknown)


def record_of_classifier(config: ClassifierConfig) -> Record:
    """Return the record of a classifier's checkpoint. Raises UnavailableError as `load_classifier` does."""
    return record_of_member(name_of_classifier(config))
