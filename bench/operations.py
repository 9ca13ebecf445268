"""Arithmetic of a forward pass: the lower bound for a machine at full speed."""

from core.model.config import ModelConfig


def transformer_operations(config: ModelConfig, n: int) -> dict[str, int]:
    """Return arithmetic of one forward pass over a sentence of `n` words by part, over all layers.

    A mask saves nothing: scores are computed first and masked afterwards.
    """
    assert config.d_mlp is not None, "the configuration fills d_mlp in"
    d, n_layers = config.d_model, config.n_layers
    width, shared = config.n_heads * config.d_head, config.n_key_heads * config.d_head
    n_maps = 3 if config.gated else 2
    return {
        "query": n_layers * 2 * n * d * width,
        "key": n_layers * 2 * n * d * shared,
        "value": n_layers * 2 * n * d * shared,
        "scores": n_layers * 2 * n**2 * width,
        "z": n_layers * 2 * n**2 * width,
        "output": n_layers * 2 * n * d * width,
        "mlp": n_layers * n_maps * 2 * n * d * config.d_mlp * config.mlp,
        "unembed": 2 * n * d * (config.vocab_size + d * config.output_transform),
    }
