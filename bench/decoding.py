"""Time saved by keeping keys and values: a translation written with them, and anew for every word."""

from dataclasses import replace
from functools import partial

import torch
from torch import Tensor

from bench.forward import SEED, medians
from core.decoding import decode, likeliest, start_translation
from core.model.config import ModelConfig
from core.model.initialisation import initialise
from core.model.models import EncoderDecoder

WORDS = (8, 32, 128)
"""Numbers of words to write."""

CONFIG = ModelConfig(vocab_size=64, d_model=64, n_heads=4, n_layers=2, positions="rotary")
NEVER = -1
"""An end that no model writes, so that all words are written."""


def decoding_seconds(n_words: int) -> dict[str, float]:
    """Return median seconds of writing `n_words` words after a source of that length: `cached` and `anew`."""
    encoder, decoder = (
        replace(CONFIG, mask="bidirectional"),
        replace(CONFIG, mask="causal"),
    )
    model = EncoderDecoder(encoder, decoder).eval()
    initialise(model, seed=SEED)
    source = torch.randint(CONFIG.vocab_size, (1, n_words), generator=torch.Generator().manual_seed(SEED))
    return medians(
        {
            name: partial(_write, model, source, n_words, cached=cached)
            for name, cached in (("cached", True), ("anew", False))
        },
        rounds=5,
    )


def _write(model: EncoderDecoder, source: Tensor, n_words: int, *, cached: bool) -> None:
    state = start_translation(model, source, cached=cached)
    decode(state, likeliest, start=0, ends=(NEVER,), longest=n_words)
