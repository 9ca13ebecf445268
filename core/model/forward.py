"""One forward pass, with results by meaning: input of a layer, results of its heads, its output.

A trace knows tensors by their paths in the module tree. Measures ask here and need to know only layers and
heads.
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
"""Tensors to keep for the attention weights of all layers."""

STATES = ("embed", "positions", "embed_norm", "blocks.*.mid", "blocks.*.out", "norm")
"""Tensors to keep for the residual stream from the words to the last state."""


@dataclass(frozen=True, eq=False)
class LayerHeads:
    """Results of all heads of one layer, under the names of `core.model.attention.MultiHeadAttention`.

    `input` is the input of queries, keys and values: under pre-norm the normalised input of the layer. `bias`
    is the positions' addition to the scores, None if they add nothing, and scale · q·k + bias = scores. `out`
    is attention's addition to the residual stream.
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
    """Results of a Transformer for a batch; layers count from 0. Raises KeyError for results not kept."""

    def __init__(self, config: ModelConfig, trace: Trace) -> None:
        self.config = config
        self._trace = trace

    @property
    def n_bytes(self) -> int:
        """Bytes that the kept tensors take."""
        return self._trace.n_bytes

    @property
    def embedded(self) -> States:
        """Vectors of the words, before positions are added."""
        return self._trace["embed"]

    @property
    def with_segments(self) -> States:
        """Word vectors with the vector of their segment added, if the model has segments."""
        types = self._trace.get("types")
        return self.embedded if types is None else self.embedded + types

    @property
    def with_positions(self) -> States:
        """Word vectors with segments and, if a scheme adds them, positions; not normalised yet."""
        return self._trace["positions"]

    def entering(self, layer: int) -> States:
        """Return the residual stream that enters a layer, with positions if they are added to words."""
        if layer:
            return self.leaving(layer - 1)
        return self._trace["embed_norm" if self.config.embed_norm else "positions"]

    def after_attention(self, layer: int) -> States:
        """Return the residual stream between the attention and the feed-forward layer."""
        return self._trace[f"blocks.{layer}.mid"]

    def leaving(self, layer: int) -> States:
        """Return the residual stream as it leaves a layer."""
        return self._trace[f"blocks.{layer}.out"]

    def heads(self, layer: int) -> LayerHeads:
        """Return the results of the attention of a layer."""
        parts = ("input", "q", "k", "v", "scores", "allowed", "pattern", "z", "out")
        found = {name: self._trace[trace_path(layer, name)] for name in parts}
        bias = self._trace.get(trace_path(layer, "bias"))
        return LayerHeads(**found, bias=bias, scale=self.config.score_scale)

    def attention_input(self, layer: int) -> States:
        """Return the input of the queries, keys and values of a layer."""
        return self._trace[trace_path(layer, "input")]

    def feed_forward_input(self, layer: int) -> States:
        """Return the input of the feed-forward layer: under pre-norm the stream, normalised."""
        return self._trace[f"blocks.{layer}.mlp.input"]

    def feed_forward(self, layer: int) -> States:
        """Return the output of the feed-forward layer, which the residual stream adds."""
        return self._trace[f"blocks.{layer}.mlp.out"]

    def pattern(self, layer: int) -> Float[Tensor, "batch head query key"]:
        """Return the attention weights of a layer."""
        return self._trace[trace_path(layer, "pattern")]

    def patterns(self) -> Float[Tensor, "layer batch head query key"]:
        """Return the attention weights of all layers."""
        return torch.stack([self.pattern(layer) for layer in range(self.config.n_layers)])

    def allowed(self) -> Bool[Tensor, "#batch #head #query key"]:
        """Return which query may attend to which key; every layer has the same, unless an edit changed it."""
        return self._trace[trace_path(0, "allowed")]

    @property
    def last_states(self) -> States:
        """The states that leave the model, after the norm that follows the last layer under pre-norm."""
        return self._trace["norm"]

    @property
    def logits(self) -> Logits:
        """Logits at every position. Raises KeyError for a model without an output layer."""
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
    """Run `model` over `tokens` without gradients; with `states_only` it computes no logits.

    `allowed` narrows the mask further. `given` is the number of words given at the beginning. `edits` are
    made on the way and `keep` selects what is kept, both as in `core.model.trace.Trace`.
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
    """Compute the attention of one layer again, from its `input` and its mask in an earlier pass.

    Nothing else is computed or kept. Of `edits` only those of this attention are made.
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
    """Return a model's last states, computed from the input of one of its layers on.

    The layers below are not computed again. `allowed` is the mask of the earlier pass; `edits` are made on
    the way.
    """
    trace, x = Trace(edits=edits, keep=()), entering
    for at in range(layer, model.config.n_layers):
        x = model.blocks[at](x, allowed=allowed, positions=model.positions, trace=trace.at(f"blocks.{at}"))
    assert not trace.unused_edits, f"there is no place for these edits: {', '.join(trace.unused_edits)}"
    last: States = model.norm(x)
    return last


def trace_path(layer: int, name: str) -> str:
    """Return the path at which the attention of a layer records `name`: the key of an edit there."""
    return f"blocks.{layer}.attention.{name}"


def masked_with(allowed: Bool[Tensor, "#batch #head query key"], config: ModelConfig) -> dict[str, Edit]:
    """Return the edits that put `allowed` in place of the mask of every layer."""

    def edit(mask: Tensor) -> Tensor:
        return allowed.to(mask.device)

    return {trace_path(layer, "allowed"): edit for layer in range(config.n_layers)}
