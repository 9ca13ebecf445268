"""What keeping keys and values saves: a translation written with them, and anew for every word."""

import torch

from bench.forward import SEED, medians
from core.decoding import begin, greedy
from core.model.config import ModelConfig
from core.model.initialisation import initialise
from core.model.models import EncoderDecoder

WORDS = (8, 32, 128)
"""How many words are written."""

SIZE = {"vocab_size": 64, "d_model": 64, "n_heads": 4, "n_layers": 2, "positions": "rotary"}
NEVER = -1
"""An end that no model writes: all the words are written."""


def decoding_seconds(n_words: int) -> dict[str, float]:
    """Median seconds of writing `n_words` words after a source as long: `cached` and `anew`."""
    encoder, decoder = (ModelConfig(mask=mask, **SIZE) for mask in ("bidirectional", "causal"))
    model = EncoderDecoder(encoder, decoder).eval()
    initialise(model, seed=SEED)
    source = torch.randint(encoder.vocab_size, (1, n_words), generator=torch.Generator().manual_seed(SEED))
    return medians(
        {
            name: lambda cached=cached: greedy(
                begin(model, source, cached=cached), start=0, end=NEVER, longest=n_words
            )
            for name, cached in (("cached", True), ("anew", False))
        },
        rounds=5,
    )
