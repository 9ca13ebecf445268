"""The collection's models that predict the next word: Transformers, and the recurrent ones, their rivals."""

from core.decoding import LanguageModel
from core.model.models import Transformer
from core.model.recurrent import RecurrentLanguageModel
from core.sources.trained import load_member


def load_rival(name: str) -> RecurrentLanguageModel:
    """Return the recurrent language model of this name, shared by all: nothing may change it.

    Raises UnavailableError where it has not been trained yet or its file is damaged.
    """
    model = load_member(name)
    assert isinstance(model, RecurrentLanguageModel), "the collection says so"
    return model


def load_language_model(name: str) -> LanguageModel:
    """Return the model of this name, of either kind; shared by all, and absent, as those of `load_rival`."""
    model = load_member(name)
    assert isinstance(model, Transformer | RecurrentLanguageModel), "the collection says so"
    return model
