"""One word's vector taken out before it enters a part of a block: which words' outputs change?"""

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from core.arrays import array_of
from core.model.blocks import Block
from core.model.forward import forward_pass
from core.model.masks import MASKS
from core.sources import LoadedModel

Changes = Float[np.ndarray, "position"]
States = Float[Tensor, "1 position d_model"]


@dataclass(frozen=True)
class OutputChanges:
    """How much the output of every position changes: ‖after − before‖ as a share of ‖before‖.

    `unknown` are the positions of the words that the model reads as `<unk>`.
    """

    feed_forward: Changes
    attention: Changes
    unknown: tuple[int, ...] = ()


def elsewhere(changes: Changes, position: int) -> tuple[int, float]:
    """How many words but that at `position` have a changed output, and the largest change among them."""
    others = np.delete(changes, position)
    return int((others > 0).sum()), float(others.max(initial=0))


def output_changes(loaded: LoadedModel, *, layer: int, position: int) -> OutputChanges:
    """What setting the vector of word `position` to zero, as it enters a part of `layer`, does to outputs.

    Each part is asked by itself, with the vectors that enter it in the whole model. Raises ValueError for a
    model without feed-forward layers.
    """
    model, tokens = loaded.model, loaded.tokens
    if not model.config.mlp:
        raise ValueError("there must be a feed-forward layer, got mlp=False")
    forward, block = forward_pass(model, tokens), model.blocks[layer]
    assert isinstance(block, Block)
    allowed = MASKS[model.config.mask].allowed(tokens.shape[1], device=tokens.device)

    def attend(x: States) -> States:
        return block.attention(x, x, allowed=allowed, positions=model.positions)

    with torch.inference_mode():
        to_attention, to_feed_forward = forward.heads(layer).input, forward.feed_forward_input(layer)
        return OutputChanges(
            feed_forward=_change(block.mlp(to_feed_forward), block.mlp(_without(to_feed_forward, position))),
            attention=_change(attend(to_attention), attend(_without(to_attention, position))),
            unknown=loaded.unknown,
        )


def _without(x: States, position: int) -> States:
    """`x` with zeros for one word."""
    positions = torch.arange(x.shape[1], device=x.device)
    return x.masked_fill((positions == position)[:, None], 0.0)


def _change(before: States, after: States) -> Changes:
    """The change of each word's vector as a share of its length."""
    lengths = before.norm(dim=-1).clamp_min(torch.finfo(before.dtype).tiny)
    return array_of(((after - before).norm(dim=-1) / lengths)[0])
