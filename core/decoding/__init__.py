"""From a model to a sentence: one word at a time, greedily, by chance or with a beam."""

from core.decoding.beam import Beam, Hypothesis, beam_search
from core.decoding.begin import begin
from core.decoding.decoding import Anew, Decoding
from core.decoding.sampling import Sampling, allowed_words, draw, sharpened
from core.decoding.strategies import Step, all_greedy, greedy, sampled

__all__ = [
    "Anew",
    "Beam",
    "Decoding",
    "Hypothesis",
    "Sampling",
    "Step",
    "all_greedy",
    "allowed_words",
    "beam_search",
    "begin",
    "draw",
    "greedy",
    "sampled",
    "sharpened",
]
