"""What layer normalisation does to every token: its statistics before and after, one norm after another."""

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor, nn

from core.arrays import array_of
from core.model.blocks import Block
from core.model.config import ModelConfig
from core.model.forward import ForwardPass, forward_pass
from core.model.models import Stack
from core.model.norm import LayerNorm, layer_norm
from core.sources import LoadedModel

Vectors = Float[np.ndarray, "position d_model"]
Statistic = Float[np.ndarray, "position"]


@dataclass(frozen=True)
class Normalised:
    """The vectors of a sentence before layer norm, after it, and after its learned gain and bias.

    `unknown` are the positions of the words that the model reads as `<unk>`.
    """

    before: Vectors
    after: Vectors
    learned: Vectors
    unknown: tuple[int, ...] = ()

    def statistics(self) -> dict[str, tuple[Statistic, Statistic]]:
        """Mean and standard deviation of each token, over its own dimensions (CS 224N note eq 27)."""
        stages = {"before": self.before, "after": self.after, "with gain and bias": self.learned}
        return {name: (vectors.mean(axis=1), vectors.std(axis=1)) for name, vectors in stages.items()}

    def change(self, other: "Normalised", word: int) -> float:
        """The largest difference between the statistics of one word here and there."""
        pairs = zip(self.statistics().values(), other.statistics().values(), strict=True)
        return max(
            float(abs(one[word] - two[word]))
            for here, there in pairs
            for one, two in zip(here, there, strict=True)
        )


def places(config: ModelConfig) -> list[str]:
    """The layer norms of a model of this configuration, in the order of a forward pass.

    Without any layer norm: where pre-norm would.
    """
    parts = ["attention", "feed-forward"] if config.mlp else ["attention"]
    verb = "after" if config.norm == "post" else "before"
    return [f"layer {i + 1}, {verb} {part}" for i in range(config.n_layers) for part in parts]


def normalised(loaded: LoadedModel, *, place: int, kept: int | None = None) -> Normalised:
    """The vectors that come to layer norm number `place` of `places`, and what layer norm makes of them.

    With `kept` all vectors but that word's are replaced by others before they are normalised: three times
    themselves and one more.
    """
    with torch.inference_mode():
        before, norm = _at(loaded.model, forward_pass(loaded.model, loaded.tokens), place)
        if kept is not None:
            others = torch.arange(before.shape[1], device=before.device) != kept
            before = torch.where(others[:, None], 3 * before + 1, before)
        after = layer_norm(before, epsilon=loaded.model.config.epsilon)
        learned = norm(before) if isinstance(norm, LayerNorm) else after
    return Normalised(_array(before), _array(after), _array(learned), loaded.unknown)


def _array(vectors: Float[Tensor, "1 position d_model"]) -> Vectors:
    """The vectors in double precision, so that taking statistics adds no rounding of its own."""
    return array_of(vectors[0].double())


def _at(
    model: Stack, forward: ForwardPass, place: int
) -> tuple[Float[Tensor, "1 position d_model"], nn.Module]:
    """What enters layer norm number `place`, and the norm itself."""
    config = model.config
    layer, part = divmod(place, 1 + config.mlp)
    block = model.blocks[layer]
    assert isinstance(block, Block)
    norm = block.mlp_norm if part else block.attention_norm
    stream = forward.after_attention(layer) if part else forward.entering(layer)
    if config.norm != "post":
        return stream, norm
    change = forward.feed_forward(layer) if part else forward.heads(layer).out
    return (stream + change if config.residual else change), norm
