"""Parts that can be taken out of a trained model, which was trained with everything in place."""

from dataclasses import replace

from core.model.config import ModelConfig

TAKEN_OUT = ("n_layers", "scale", "residual", "mlp")
"""The fields of a configuration that can be less than a model was trained with."""


def ablation(config: ModelConfig, trained: ModelConfig) -> ModelConfig:
    """`trained`, with what `config` goes without taken out."""
    return replace(trained, **{name: getattr(config, name) for name in TAKEN_OUT})


def taken_out(config: ModelConfig, trained: ModelConfig) -> tuple[str, ...]:
    """Return the fields of `config` that differ from what a model was trained with."""
    return tuple(name for name in TAKEN_OUT if getattr(config, name) != getattr(trained, name))
