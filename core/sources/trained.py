"""The collection's models: one for every combination of switches, rivals, translators and classifiers."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from jaxtyping import Int
from torch import Tensor

from core.decoding import LanguageModel
from core.device import device_of
from core.learning.checkpoints import Record
from core.learning.collection import MEMBERS, load_listed_member, name_of, record_of
from core.learning.collection.classifiers import name_of_classifier
from core.learning.collection.translators import TranslatorConfig, name_of_pair
from core.learning.training import Model, Pair
from core.model.classifier import ClassifierConfig, SequenceClassifier
from core.model.config import ModelConfig
from core.model.models import EncoderDecoder, Transformer
from core.model.recurrent import RecurrentLanguageModel
from core.model.recurrent_pair import RecurrentEncoderDecoder
from core.sources.missing_models import TRAINER, absent, come_with_the_app, missing_reason
from core.sources.source import LoadedModel, Source, UntrainedError
from core.text import language
from core.unavailable import UnavailableError

TAKEN_OUT = ("n_layers", "scale", "residual", "mlp")
"""Fields of a configuration that can be reduced after training."""


def trained_config(config: ModelConfig) -> ModelConfig:
    """Return the configuration of the model for `config`, before any ablation."""
    trained = MEMBERS[name_of(config)].config
    assert isinstance(trained, ModelConfig)
    return trained


def load(config: ModelConfig, words: Sequence[str], seed: int) -> LoadedModel:
    """Load the model trained with these switches, without the ablated parts; raises UnavailableError."""
    trained = trained_config(config)
    if config.n_layers > trained.n_layers:
        raise UnavailableError(
            f"Trained models have {trained.n_layers} layers, not {config.n_layers}: take fewer."
        )
    with missing_as_unavailable(name_of(config), of_switches=True):
        model = load_listed_member(name_of(config), ablation(config, trained))
    assert isinstance(model, Transformer)
    encoding = language.encode(words)
    tokens = encoding.tokens.to(device_of(model))
    return LoadedModel(model, language.vocabulary(), tuple(words), tokens, encoding.unknown)


def ablated(config: ModelConfig) -> tuple[str, ...]:
    """Return the fields of `config` that differ from its model's training."""
    return taken_out(config, trained_config(config))


def record(config: ModelConfig) -> Record:
    """Return the record of the intact model behind `config`. Raises UnavailableError as `load` does."""
    with missing_as_unavailable(name_of(config), of_switches=True):
        return record_of(name_of(config))


def load_member(name: str) -> Model:
    """Return the member of the collection of this name. Raises UnavailableError as `load` does."""
    with missing_as_unavailable(name):
        return load_listed_member(name)


def load_rival(name: str) -> RecurrentLanguageModel:
    """Return the recurrent language model of this name. Raises UnavailableError as `load` does."""
    model = load_member(name)
    assert isinstance(model, RecurrentLanguageModel), "the collection says so"
    return model


def load_language_model(name: str) -> LanguageModel:
    """Return the next-word model of this name. Raises UnavailableError as `load` does."""
    model = load_member(name)
    assert isinstance(model, Transformer | RecurrentLanguageModel), "the collection says so"
    return model


def record_of_member(name: str) -> Record:
    """Return the record of a member's checkpoint. Raises UnavailableError as `load` does."""
    with missing_as_unavailable(name):
        return record_of(name)


def load_members(names: Mapping[str, str]) -> dict[str, Model]:
    """Return members of the collection under the given keys. Raises UnavailableError naming missing ones."""
    _check_there(names)
    return {name: load_listed_member(member) for name, member in names.items()}


def records_of_members(names: Mapping[str, str]) -> dict[str, Record]:
    """Return the records of members' checkpoints. Raises as `load_members`."""
    _check_there(names)
    return {name: record_of(member) for name, member in names.items()}


def _check_there(names: Mapping[str, str]) -> None:
    if missing := absent(names.values()):
        raise UnavailableError(missing)


@contextmanager
def missing_as_unavailable(name: str, *, of_switches: bool = False) -> Iterator[None]:
    """Turn a missing or damaged checkpoint of a member into a sentence that says what to do."""
    instead = "; until then choose other settings" if of_switches else ""
    try:
        yield
    except FileNotFoundError as error:
        if of_switches and not come_with_the_app([name]):
            trains = f"`{TRAINER} {name}` trains it in a few minutes"
            raise UntrainedError(
                f"No model has been trained with these switches yet. {trains}{instead}."
            ) from error
        raise UntrainedError(f"{missing_reason(type(error), name)}{instead}.") from error
    except OSError as error:
        raise UnavailableError(f"{missing_reason(type(error), name)}{instead}.") from error


def ablation(config: ModelConfig, trained: ModelConfig) -> ModelConfig:
    """Return `trained` without the parts that `config` lacks."""
    return replace(trained, **{name: getattr(config, name) for name in TAKEN_OUT})


def taken_out(config: ModelConfig, trained: ModelConfig) -> tuple[str, ...]:
    """Return the fields in which `config` lacks parts of `trained`."""
    return tuple(name for name in TAKEN_OUT if getattr(config, name) != getattr(trained, name))


@dataclass(frozen=True)
class LoadedTranslator:
    """A translator ready to read the `words` of a sentence, `source`; shared by all visitors."""

    model: Pair
    words: tuple[str, ...]
    source: Int[Tensor, "1 source"]
    unknown: tuple[int, ...]


def load_translator(config: TranslatorConfig, words: Sequence[str]) -> LoadedTranslator:
    """Return the translator of a configuration with a sentence; raises UnavailableError."""
    model = load_member(name_of_pair(config))
    assert isinstance(model, EncoderDecoder | RecurrentEncoderDecoder), "the collection says so"
    encoding = language.encode(words)
    return LoadedTranslator(model, tuple(words), encoding.tokens.to(device_of(model)), encoding.unknown)


def record_of_translator(config: TranslatorConfig) -> Record:
    """Return the record of a translator's checkpoint. Raises UnavailableError as `load_translator` does."""
    return record_of_member(name_of_pair(config))


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


TRAINED = Source(load, most_layers=2, ablated=ablated, record=record)
