"""Trained models on disk: weights in safetensors at half precision, with a record."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn

from core.learning.training import Model, Recipe
from core.model.classifier import ClassifierConfig, SequenceClassifier
from core.model.config import ModelConfig, PairConfig
from core.model.models import EncoderDecoder, Transformer
from core.model.recurrent import RecurrentConfig, RecurrentLanguageModel
from core.model.recurrent_pair import RecurrentEncoderDecoder, RecurrentPairConfig

M = TypeVar("M", bound=nn.Module)
Config = ModelConfig | RecurrentConfig | PairConfig | RecurrentPairConfig | ClassifierConfig

KINDS: Mapping[str, type[Config]] = {
    "transformer": ModelConfig,
    "recurrent": RecurrentConfig,
    "encoder-decoder": PairConfig,
    "recurrent encoder-decoder": RecurrentPairConfig,
    "classifier": ClassifierConfig,
}
"""Name of each kind of model in a checkpoint."""


class DamagedError(OSError):
    """A file that is not a checkpoint, or is damaged: cut short or overwritten."""


@dataclass(frozen=True, kw_only=True)
class Record:
    """Record of a checkpoint: `loss` in nats per word, `accuracies` by phenomenon."""

    config: Config
    task: str
    recipe: Recipe
    loss: float
    accuracy: float
    accuracies: Mapping[str, float]
    versions: Mapping[str, str]
    device: str


def build(config: Config) -> Model:
    """Return an uninitialised model of any kind of configuration."""
    if isinstance(config, ModelConfig):
        return Transformer(config)
    if isinstance(config, PairConfig):
        return EncoderDecoder(config.encoder, config.decoder)
    if isinstance(config, RecurrentPairConfig):
        return RecurrentEncoderDecoder(config)
    if isinstance(config, ClassifierConfig):
        return SequenceClassifier(config)
    return RecurrentLanguageModel(config)


def round_to_half(model: M) -> M:
    """Round every weight of a module to half precision in place, as saving and loading would."""
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(parameter.half())
    return model


def save(path: Path, model: Model, record: Record) -> None:
    """Write a model and its record as `save_halved` does."""
    kind = next(kind for kind, config in KINDS.items() if isinstance(record.config, config))
    save_halved(path, model, asdict(record) | {"kind": kind})


def save_halved(path: Path, model: nn.Module, metadata: Mapping[str, Any]) -> None:
    """Write the parameters at half precision, with `metadata` as JSON in the file's header.

    Writes `path` whole or not at all. Raises OSError if the disk refuses.
    """
    tensors = {name: tensor.detach().half().contiguous().cpu() for name, tensor in model.named_parameters()}
    part = path.with_suffix(".part")
    try:
        save_file(tensors, part, metadata={name: json.dumps(value) for name, value in metadata.items()})
        part.replace(path)
    except SafetensorError as error:  # the library's own error for a full disk
        raise OSError(f"{path.name} cannot be written: {error}") from error
    finally:
        part.unlink(missing_ok=True)


def read_record(path: Path) -> Record:
    """Return the record in a checkpoint; raises FileNotFoundError and DamagedError."""
    with open_checkpoint(path) as file:
        metadata = metadata_of(file)
        return Record(
            config=_config(metadata.pop("kind"), metadata.pop("config")),
            recipe=Recipe(**metadata.pop("recipe")),
            **metadata,
        )


def _config(kind: str, fields: Mapping[str, Any]) -> Config:
    if kind == "encoder-decoder":
        return PairConfig(**{side: ModelConfig(**made_of) for side, made_of in fields.items()})
    if kind == "classifier":
        encoder = fields["encoder"]
        made_of = RecurrentConfig if "network" in encoder else ModelConfig
        return ClassifierConfig(**{**fields, "encoder": made_of(**encoder)})
    return KINDS[kind](**fields)


def load(path: Path, *, config: Config | None = None) -> Model:
    """Return the model at `path` in single precision on the CPU, or its ablation to `config`.

    Raises ValueError for weights that were never trained, and the errors of `read_record`.
    """
    model = build(config or read_record(path).config)
    with open_checkpoint(path) as file:
        trained = tensors_of(file)
    missing = [name for name, _ in model.named_parameters() if name not in trained]
    if missing:
        raise ValueError(f"{path.name} was trained without {', '.join(missing)}")
    return fill_parameters(model, trained)


def fill_parameters(model: M, trained: Mapping[str, Tensor]) -> M:
    """Return a module with these numbers in its parameters, for use without training."""
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(trained[name])
    return model.eval().requires_grad_(False)


def tensors_of(file: Any) -> dict[str, Tensor]:
    """Return the tensors of an open checkpoint by name."""
    return {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118, not a mapping


def metadata_of(file: Any) -> dict[str, Any]:
    """Return the metadata of an open checkpoint, parsed from JSON."""
    return {name: json.loads(text) for name, text in file.metadata().items()}


@contextmanager
def open_checkpoint(path: Path) -> Iterator[Any]:
    """Open the file at `path` and yield it; errors of its content become DamagedError."""
    try:
        with safe_open(path, framework="pt") as file:
            yield file
    except (SafetensorError, AttributeError, KeyError, TypeError, ValueError) as error:
        raise DamagedError(f"{path.name} is damaged: {error}") from error
