"""Layer norm: its effect on vectors, gradients of the last block, and trainings of its placements."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from pathlib import Path
from statistics import fmean

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from core.arrays import array_of
from core.learning.collection import FOLDER
from core.learning.collection.checkpoint_store import read_numbers, write_numbers
from core.learning.tasks import NEXT_WORD
from core.learning.training import Recipe, Training
from core.model.blocks import Block, norm_layer
from core.model.config import NORMS, ModelConfig, Norm
from core.model.forward import ForwardPass, forward_pass
from core.model.initialisation import initialise
from core.model.models import Stack, Transformer
from core.model.norm import LayerNorm, layer_norm
from core.model.trace import Trace
from core.sources import LoadedModel

Vectors = Float[np.ndarray, "position d_model"]
Statistic = Float[np.ndarray, "position"]


@dataclass(frozen=True)
class Normalised:
    """The vectors of a sentence before layer norm, after it, and after its learned gain and bias."""

    before: Vectors
    after: Vectors
    learned: Vectors
    unknown: tuple[int, ...] = ()

    def statistics(self) -> dict[str, tuple[Statistic, Statistic]]:
        """Return mean and standard deviation of each token over its dimensions (CS 224N note eq 27)."""
        stages = {"before": self.before, "after": self.after, "with gain and bias": self.learned}
        return {name: (vectors.mean(axis=1), vectors.std(axis=1)) for name, vectors in stages.items()}

    def change(self, other: "Normalised", word: int) -> float:
        """Return the most by which a statistic of one word differs from that in `other`, at any stage."""
        pairs = zip(self.statistics().values(), other.statistics().values(), strict=True)
        return max(
            float(abs(one[word] - two[word]))
            for here, there in pairs
            for one, two in zip(here, there, strict=True)
        )


def places(config: ModelConfig) -> list[str]:
    """Return the layer norms in the order of a forward pass; without any, the places of pre-norm."""
    parts = ["attention", "feed-forward"] if config.mlp else ["attention"]
    verb = "after" if config.norm == "post" else "before"
    return [f"layer {i + 1}, {verb} {part}" for i in range(config.n_layers) for part in parts]


def normalised(loaded: LoadedModel, *, place: int, kept: int | None = None) -> Normalised:
    """Return the input vectors of layer norm number `place` of `places`, and its results.

    With `kept`, every vector v except that word's is replaced by 3 v + 1.
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
    """Return the vectors in double precision, so that statistics add no rounding."""
    return array_of(vectors[0].double())


def _at(
    model: Stack, forward: ForwardPass, place: int
) -> tuple[Float[Tensor, "1 position d_model"], nn.Module]:
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


DEPTHS = (2, 4, 8, 12, 24)

COMPARED: tuple[Norm, ...] = ("pre", "post")
"""Placements of the norm in theorem 1 of Xiong et al. 2020."""


def last_block_gradients(
    fresh: Callable[[ModelConfig], LoadedModel],
    config: ModelConfig,
    *,
    norms: Sequence[Norm] = COMPARED,
    depths: Sequence[int] = DEPTHS,
) -> Mapping[Norm, Float[np.ndarray, "depth"]]:
    """Return the norm of the gradient of the last block's second feed-forward matrix, at each depth.

    The loss is the mean cross-entropy in nats of the next word; raises ValueError for fewer than two
    different words. It is computed in double precision: with 24 blocks without a norm, single precision loses
    a third of a gradient's digits. In blocks without a feed-forward layer it is the gradient of the output
    matrix of attention.

    One new, unshared model serves all depths and norms: a weight at initialisation depends only on the seed,
    its name and its shape.
    """
    new = fresh(replace(config, norm=norms[0], n_layers=max(depths)))
    if len(set(new.words)) < 2:
        raise ValueError("there must be at least two different words, or there is nothing to predict")
    new.model.double().requires_grad_(False)
    return {norm: np.array(_of_depths(new, norm, depths)) for norm in norms}


def expected_of_pre(depths: Sequence[int], first: float) -> Float[np.ndarray, "depth"]:
    """Return a curve that falls as 1/√L from `first` at the first of the depths."""
    return first * np.sqrt(depths[0] / np.array(depths, dtype=float))


def _of_depths(new: LoadedModel, norm: Norm, depths: Sequence[int]) -> list[float]:
    """Return the gradient's norm at each depth; a shallower model is the first blocks of the deepest."""
    model, tokens, trace = new.model, new.tokens, Trace(keep=["blocks.*.out"])
    assert isinstance(model, Transformer)
    _place_norms(model, replace(model.config, norm=norm))
    gradient_norms = []
    with torch.inference_mode(mode=False), torch.enable_grad():
        matrices = [_matrix(model.blocks[depth - 1]).requires_grad_() for depth in depths]
        model(tokens, trace=trace)
        for depth, matrix in zip(depths, matrices, strict=True):
            logits = model.logits_of(model.norm(trace[f"blocks.{depth - 1}.out"]))
            (gradient,) = torch.autograd.grad(cross_entropy(logits[0, :-1], tokens[0, 1:]), [matrix])
            gradient_norms.append(float(gradient.norm()))
    return gradient_norms


def _place_norms(model: Transformer, config: ModelConfig) -> None:
    """Give a model in double precision new layer norms, as in `config`, and leave everything else."""
    for block in model.blocks:
        assert isinstance(block, Block)
        block.pre_norm = config.norm == "pre"
        block.attention_norm = norm_layer(config).double()
        if block.has_mlp:
            block.mlp_norm = norm_layer(config).double()
    model.norm = norm_layer(config).double() if config.norm == "pre" else nn.Identity()


def _matrix(block: object) -> Tensor:
    assert isinstance(block, Block)
    linear = block.mlp.contract if block.has_mlp else block.attention.output
    weight: Tensor = linear.weight
    return weight


TRAINED_DEPTHS = (2, 4, 8, 12)
"""Numbers of layers that a visitor can train while waiting."""

D_MODEL = 32
RECIPE = Recipe(steps=60, batch_size=16, learning_rate=0.01, warm_up=1)
"""Without warm-up, which post-norm needs and pre-norm does not (Xiong et al. 2020)."""


LAST = 10
"""Number of last steps over which the loss is averaged, because batches differ."""


@dataclass(frozen=True)
class Loss:
    """The mean cross-entropy in nats of a step's batch before the weights changed; steps count from 1."""

    norm: Norm
    step: int
    loss: float


def short_training(
    config: ModelConfig, *, n_layers: int, seed: int, norms: Sequence[Norm] = NORMS
) -> Iterator[Loss]:
    """Train a small model for each norm on the next word of the language, all on the same batches.

    The width, the mask and the vocabulary of `config` are not used. Training is on the CPU.
    """
    for norm in norms:
        losses = _trained(small(config, norm, n_layers=n_layers), replace(RECIPE, seed=seed))
        yield from (Loss(norm, step, loss) for step, loss in enumerate(losses, start=1))


def last_losses(losses: Iterable[Loss]) -> dict[Norm, float]:
    """Return the mean loss of each model over its last `LAST` steps; NaN if one of them is NaN."""
    last: dict[Norm, list[float]] = {}
    for one in losses:
        if one.step > RECIPE.steps - LAST:
            last.setdefault(one.norm, []).append(one.loss)
    return {norm: fmean(found) for norm, found in last.items()}


def small(config: ModelConfig, norm: Norm, *, n_layers: int) -> ModelConfig:
    """Return the configuration trained for `norm`: narrow, and with the switches of `config`."""
    return replace(
        config,
        vocab_size=len(NEXT_WORD.vocabulary()),
        d_model=D_MODEL,
        d_mlp=None,
        n_layers=n_layers,
        norm=norm,
        mask="causal",
        tied=True,
    )


FILE = "trainings.json"
N_BLOCKS, STEPS, WARM_UP, AVERAGED = 6, 200, 80, 10
"""Blocks and steps of every training, steps of a warm-up, and steps that a mean loss covers."""

RATE, BATCH = 0.005, 16


@dataclass(frozen=True)
class Setting:
    """Switches of one training; `warm_up` is in steps, and 1 means no warm-up."""

    norm: Norm
    warm_up: int
    residual: bool = True

    @property
    def recipe(self) -> Recipe:
        return Recipe(steps=STEPS, batch_size=BATCH, learning_rate=RATE, warm_up=self.warm_up)

    @property
    def config(self) -> ModelConfig:
        one = small(ModelConfig.of_switches(), self.norm, n_layers=N_BLOCKS)
        return replace(one, residual=self.residual)


PRE, POST, PRE_WARM, POST_WARM, PRE_BARE = ("pre", "post", "pre, warm-up", "post, warm-up", "no residual")
SETTINGS: Mapping[str, Setting] = {
    PRE: Setting("pre", 1),
    POST: Setting("post", 1),
    PRE_WARM: Setting("pre", WARM_UP),
    POST_WARM: Setting("post", WARM_UP),
    PRE_BARE: Setting("pre", 1, residual=False),
}


def train(setting: Setting) -> Iterator[float]:
    """Yield the loss of every step in nats, before the weights change; on the CPU."""
    return _trained(setting.config, setting.recipe)


def _trained(config: ModelConfig, recipe: Recipe) -> Iterator[float]:
    model = Transformer(config)
    initialise(model, seed=recipe.seed)
    return (step.loss for step in Training(model, NEXT_WORD, recipe).steps())


def means(losses: Iterator[float]) -> Iterator[float]:
    """Yield the mean of each `AVERAGED` steps."""
    while some := list(islice(losses, AVERAGED)):
        yield round(fmean(some), 4)


@cache
def read_shipped_losses(folder: Path = FOLDER) -> Mapping[str, list[float]]:
    """Return mean losses of every training by name; raises OSError for a missing or altered file."""
    return read_numbers(FILE, folder)


def main() -> None:
    """Train all settings, and write their mean losses."""
    write_numbers(FILE, {name: list(means(train(setting))) for name, setting in SETTINGS.items()})


if __name__ == "__main__":
    main()
