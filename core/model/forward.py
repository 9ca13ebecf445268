"""One forward pass, kept to be asked by meaning: what enters a layer, what its heads computed, what it adds.

A trace knows tensors by their paths in the module tree. Whoever measures asks here, and has to know of layers
and heads only.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from core.model.blocks import Block
from core.model.config import ModelConfig
from core.model.masks import Given
from core.model.models import Logits, Stack, States, Tokens
from core.model.trace import Edit, Keep, Trace

PATTERNS = ("blocks.*.attention.pattern", "blocks.*.attention.allowed")
"""Tensors to keep for the attention weights of all layers: a tenth of everything, or less."""

STATES = ("embed", "positions", "embed_norm", "blocks.*.mid", "blocks.*.out", "norm")
"""Tensors to keep for the residual stream from the words to the last state."""


@dataclass(frozen=True, eq=False)
class LayerHeads:
    """Results of all heads of one layer, under the names of `core.model.attention.MultiHeadAttention`.

    `input` is what queries, keys and values are made of: under pre-norm what enters the layer, normalised.
    `bias` is what the positions add to the scores, None where they add nothing, and
    scale · q·k + bias = scores. `out` is what attention adds to the residual stream.
    """

    input: States
    q: Float[Tensor, "batch head query d_head"]
    k: Float[Tensor, "batch head key d_head"]
    v: Float[Tensor, "batch head key d_head"]
    scale: float
    bias: Float[Tensor, "head query key"] | None
    scores: Float[Tensor, "batch head query key"]
    allowed: Bool[Tensor, "#batch #head query key"]
    pattern: Float[Tensor, "batch head query key"]
    z: Float[Tensor, "batch head query d_head"]
    out: States


class ForwardPass:
    """Results of a Transformer for a batch; layers count from 0. Raises KeyError for what was not kept."""

    def __init__(self, config: ModelConfig, trace: Trace) -> None:
        self.config = config
        self._trace = trace

    @property
    def n_bytes(self) -> int:
        """The memory that what was kept takes."""
        return self._trace.n_bytes

    @property
    def embedded(self) -> States:
        """The vectors of the words, before positions are added."""
        return self._trace["embed"]

    @property
    def with_segments(self) -> States:
        """Word vectors with the vector of their segment added, where the model has any."""
        types = self._trace.get("types")
        return self.embedded if types is None else self.embedded + types

    @property
    def with_positions(self) -> States:
        """Word vectors with segments and, where a scheme adds them, positions; not normalised yet."""
        return self._trace["positions"]

    def entering(self, layer: int) -> States:
        """The residual stream as it enters a layer; with positions, where they are added to word vectors."""
        if layer:
            return self.leaving(layer - 1)
        return self._trace["embed_norm" if self.config.embed_norm else "positions"]

    def after_attention(self, layer: int) -> States:
        """The residual stream between the attention and the feed-forward layer."""
        return self._trace[f"blocks.{layer}.mid"]

    def leaving(self, layer: int) -> States:
        """The residual stream as it leaves a layer."""
        return self._trace[f"blocks.{layer}.out"]

    def heads(self, layer: int) -> LayerHeads:
        """The results of the attention of a layer."""
        parts = ("input", "q", "k", "v", "scores", "allowed", "pattern", "z", "out")
        found = {name: self._trace[trace_path(layer, name)] for name in parts}
        bias = self._trace.get(trace_path(layer, "bias"))
        return LayerHeads(**found, bias=bias, scale=self.config.score_scale)

    def attention_input(self, layer: int) -> States:
        """The input of the queries, keys and values of a layer."""
        return self._trace[trace_path(layer, "input")]

    def feed_forward_input(self, layer: int) -> States:
        """The input of the feed-forward layer: under pre-norm the stream after attention, normalised."""
        return self._trace[f"blocks.{layer}.mlp.input"]

    def feed_forward(self, layer: int) -> States:
        """The output of the feed-forward layer, which the residual stream adds."""
        return self._trace[f"blocks.{layer}.mlp.out"]

    def pattern(self, layer: int) -> Float[Tensor, "batch head query key"]:
        """The attention weights of a layer."""
        return self._trace[trace_path(layer, "pattern")]

    def patterns(self) -> Float[Tensor, "layer batch head query key"]:
        """The attention weights of all layers."""
        return torch.stack([self.pattern(layer) for layer in range(self.config.n_layers)])

    def allowed(self) -> Bool[Tensor, "#batch #head #query key"]:
        """Which query may attend to which key: the same in every layer, unless an edit made it another."""
        return self._trace[trace_path(0, "allowed")]

    @property
    def last_states(self) -> States:
        """The states that leave the model, after the norm that follows the last layer under pre-norm."""
        return self._trace["norm"]

    @property
    def logits(self) -> Logits:
        """What the model expects at every position. Raises KeyError for a model without an output layer."""
        return self._trace["logits"]


@torch.inference_mode()
def forward_pass(
    model: Stack,
    tokens: Tokens,
    *,
    allowed: Bool[Tensor, "#batch #head #position #position"] | None = None,
    given: Given | None = None,
    edits: Mapping[str, Edit] | None = None,
    keep: Keep | Collection[str] | None = None,
    states_only: bool = False,
) -> ForwardPass:
    """Run `model` over `tokens` without gradients; with `states_only` it computes no logits of them.

    `allowed` narrows its mask further, `given` words are there before any is predicted, `edits` are made on
    the way and `keep` says what is kept if not everything, both as `core.model.trace.Trace` does it.
    """
    trace = Trace(edits=edits, keep=keep)
    (model.states if states_only else model)(tokens, allowed=allowed, given=given, trace=trace)
    assert not trace.unused_edits, f"there is no place for these edits: {', '.join(trace.unused_edits)}"
    return ForwardPass(model.config, trace)


@torch.inference_mode()
def attention_again(
    model: Stack,
    layer: int,
    entering: States,
    *,
    allowed: Bool[Tensor, "#batch #head #position #position"],
    edits: Mapping[str, Edit] | None = None,
    keep: Keep | Collection[str] | None = None,
) -> ForwardPass:
    """What the attention of one layer computes of its `input` in an earlier pass, and of its mask there.

    Nothing else is computed, and nothing else is kept. Of `edits` those of this attention are made.
    """
    trace, block = Trace(edits=edits, keep=keep), model.blocks[layer]
    assert isinstance(block, Block)
    trace(trace_path(layer, "input"), entering)
    here = trace.at(f"blocks.{layer}.attention")
    block.attention(entering, entering, allowed=allowed, positions=model.positions, trace=here)
    return ForwardPass(model.config, trace)


@torch.inference_mode()
def states_from(
    model: Stack,
    layer: int,
    entering: States,
    *,
    allowed: Bool[Tensor, "#batch #head #position #position"],
    edits: Mapping[str, Edit] | None = None,
) -> States:
    """The last states of a model, from what enters one of its layers and the mask of an earlier pass on.

    What is below is not computed again. `edits` are made on the way.
    """
    trace, x = Trace(edits=edits, keep=()), entering
    for at in range(layer, model.config.n_layers):
        x = model.blocks[at](x, allowed=allowed, positions=model.positions, trace=trace.at(f"blocks.{at}"))
    assert not trace.unused_edits, f"there is no place for these edits: {', '.join(trace.unused_edits)}"
    last: States = model.norm(x)
    return last


def trace_path(layer: int, name: str) -> str:
    """The path at which the attention of a layer records `name`: the key of an edit made there."""
    return f"blocks.{layer}.attention.{name}"


def masked_with(allowed: Bool[Tensor, "#batch #head query key"], config: ModelConfig) -> dict[str, Edit]:
    """The edits that put `allowed` in place of the mask of every layer."""

    def edit(mask: Tensor) -> Tensor:
        return allowed.to(mask.device)

    return {trace_path(layer, "allowed"): edit for layer in range(config.n_layers)}
