"""What the weights on the screen have learned, and what was taken out of the model that learned it."""

from collections.abc import Sequence

from core.config import ModelConfig
from core.learning.weights import Source, UnavailableError

WITHOUT = {
    "n_layers": "no second layer",
    "scale": "no scaling by √d_head",
    "residual": "no residual connections",
    "mlp": "no feed-forward layers",
}
"""What is missing when a field of the configuration is not what the model was trained with."""


def ablations(config: ModelConfig, weights: Source, window: int | None) -> list[str]:
    """What is missing of the model that was trained, in words."""
    missing = [WITHOUT[field] for field in weights.ablated(config)]
    if weights.trained and window is not None:
        missing.append(f"no attention beyond {window} word{'s' * (window > 1)}")
    return missing


def learned(config: ModelConfig, weights: Source) -> str:
    """A sentence on what these weights have learned."""
    try:
        record = weights.record(config)
    except UnavailableError:  # the page says what to do
        return "Not trained yet."
    if record is None:
        return "Initial weights, which have learned nothing."
    intact = " with everything in place" if weights.ablated(config) else ""
    return (
        f"Trained on the task {record.task} in a small artificial English: accuracy {record.accuracy:.0%}, "
        f"loss {record.loss:.2f} nats per word on unseen sentences{intact}."
    )


def ablation_label(missing: Sequence[str]) -> str:
    """The label of a picture that shows less than the model that was trained."""
    return f":orange-badge[ablation] {', '.join(missing)}. The model was trained with everything in place."
