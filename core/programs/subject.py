"""The subject of a program: a sentence, the model that reads it, and the chosen head."""

from dataclasses import dataclass

from core.model.config import ModelConfig
from core.sources import LoadedModel, load


@dataclass(frozen=True, kw_only=True)
class Subject:
    """A sentence, a model named as `core.sources.load` wants it, and a head, counted from 0.

    `allowed` are lines of a program that make the mask of that name, where it is not the model's own.
    Raises, when its `loaded` is asked for, what `core.sources.load` raises.
    """

    words: tuple[str, ...]
    config: ModelConfig
    source: str
    seed: int = 0
    window: int | None = None
    allowed: str = ""
    layer: int = 0
    head: int = 0

    @property
    def loaded(self) -> LoadedModel:
        """The model and its tokens."""
        return load(self.source, self.config, self.words, self.seed)

    @property
    def model(self) -> ModelConfig:
        """The configuration the model really has, its width and vocabulary included."""
        return self.loaded.model.config
