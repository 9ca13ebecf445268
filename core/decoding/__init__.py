"""Decoding: a model writes a sentence one word at a time, greedily, by sampling or with a beam."""

from core.decoding.beam import Beam, Hypothesis, beam_search
from core.decoding.begin import LanguageModel, begin, begin_text
from core.decoding.decoding import Decoding, Recomputed, after
from core.decoding.sampling import Sampling, allowed_words, draw, sharpened
from core.decoding.strategies import (
    Choose,
    Step,
    all_greedy,
    by_chance,
    forced,
    greedy,
    likeliest,
    sampled,
    written,
)

__all__ = [
    "Beam",
    "Choose",
    "Decoding",
    "Hypothesis",
    "LanguageModel",
    "Recomputed",
    "Sampling",
    "Step",
    "after",
    "all_greedy",
    "allowed_words",
    "beam_search",
    "begin",
    "begin_text",
    "by_chance",
    "draw",
    "forced",
    "greedy",
    "likeliest",
    "sampled",
    "sharpened",
    "written",
]
