"""A model so small that every number of it can be shown."""

from dataclasses import replace

from core.model.config import ModelConfig

SMALL_SOURCE = "random"
"""Nobody has trained a model this small, so its weights are random."""

D_MODEL, N_HEADS = 8, 2


def small(config: ModelConfig) -> ModelConfig:
    """`config` with 8 dimensions, two heads and one layer that does not normalise what enters it."""
    return replace(config, d_model=D_MODEL, n_heads=N_HEADS, n_layers=1, d_mlp=None, norm="none")
