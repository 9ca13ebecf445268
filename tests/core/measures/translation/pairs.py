"""A sentence with its translation by the rules, and the trained translators that tests compare on it."""

from core.learning.collection.translators import TranslatorConfig, recurrent_pair, transformer_pair
from core.sources.trained import LoadedTranslator, load_translator

WORDS = ["the", "key", "that", "the", "gardeners", "sold", "is", "heavy", "."]
RIGHT = ["este", "lo", "klavo", "ke", "las", "jardinoras", "ha", "vendit", "gravo", "."]
LSTM, FIXED = recurrent_pair("lstm", "dot"), recurrent_pair("lstm", "none")
TRANSFORMER = transformer_pair(2, 1)


def loaded(config: TranslatorConfig) -> LoadedTranslator:
    return load_translator(config, WORDS)
