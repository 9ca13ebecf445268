"""The collection's recurrent language models, the rivals of the Transformers that predict the next word."""

from core.learning.collection import take
from core.learning.weights.source import UnavailableError
from core.recurrent import RecurrentLanguageModel


def load_rival(name: str) -> RecurrentLanguageModel:
    """The recurrent language model of this name, shared by all: nothing may change it.

    Raises UnavailableError where it has not been trained yet or its file is damaged.
    """
    try:
        model = take(name)
    except OSError as error:
        raise UnavailableError(
            f"Not trained yet, or damaged: {name}. `python -m core.learning.collection {name}` trains it in "
            "a few minutes."
        ) from error
    assert isinstance(model, RecurrentLanguageModel), "the collection says so"
    return model
