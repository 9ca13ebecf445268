"""The collection's recurrent language models, the rivals of the Transformers that predict the next word."""

from core.model.recurrent import RecurrentLanguageModel
from core.sources.trained import load_member


def load_rival(name: str) -> RecurrentLanguageModel:
    """The recurrent language model of this name, shared by all: nothing may change it.

    Raises UnavailableError where it has not been trained yet or its file is damaged.
    """
    model = load_member(name)
    assert isinstance(model, RecurrentLanguageModel), "the collection says so"
    return model
