"""Decoding: a model writes a sentence one word at a time, greedily, by sampling or with a beam."""

from core.decoding.beam import Beam, beams
from core.decoding.begin import LanguageModel, start_text, start_translation
from core.decoding.decoding import DecodingState, UncachedState, read_words
from core.decoding.sampling import Sampling, next_word_distribution, sample_by_inverse_cdf
from core.decoding.strategies import Choose, all_greedy, decode, likeliest, sampler, with_forced_words

__all__ = [
    "Beam",
    "Choose",
    "DecodingState",
    "LanguageModel",
    "Sampling",
    "UncachedState",
    "all_greedy",
    "beams",
    "decode",
    "likeliest",
    "next_word_distribution",
    "read_words",
    "sample_by_inverse_cdf",
    "sampler",
    "start_text",
    "start_translation",
    "with_forced_words",
]
