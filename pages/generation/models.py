"""The three language models that write."""

from core.decoding import LanguageModel
from core.measures.generation.writing import WRITERS, member_of
from core.model.config import ModelConfig
from core.sources.rivals import load_language_model


def model_of(writer: str, config: ModelConfig) -> LanguageModel:
    """A writer, shared by all visitors: nothing may change it; the Transformer is that of `config`.

    Raises UnavailableError where it has not been trained.
    """
    return load_language_model(member_of(writer, config))


def all_models(config: ModelConfig) -> dict[str, LanguageModel]:
    """All three. Raises UnavailableError where one has not been trained."""
    return {writer: model_of(writer, config) for writer in WRITERS}
