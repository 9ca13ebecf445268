"""One recorded forward pass, seen from one of its heads: arrays without the axis of sentences."""

from collections.abc import Sequence

import numpy as np
import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from core.device import device_of
from core.measures.stages.change import Change, edits
from core.model.blocks import Block
from core.model.forward import forward_pass
from core.model.positions import SCHEMES, About, InjectionPoint
from core.sources import LoadedModel

Matrix = Float[np.ndarray, "row column"]


class Recorded:
    """What a model computed at `head` of `layer`, both from 0, with the `changes` made on the way.

    `embedded` are the vectors of the words alone, `with_segments` and `with_positions` what becomes of them.
    `entering` is what the layer is given, `x` what its queries, keys and values are made of.
    """

    def __init__(self, loaded: LoadedModel, layer: int, head: int, changes: Sequence[Change]) -> None:
        self.words, self.layer, self.head = loaded.words, layer, head
        self.model, self.config, self.unknown = loaded.model, loaded.model.config, loaded.unknown
        self.tokens = loaded.tokens[0].cpu().numpy()
        block = self.model.blocks[layer]
        assert isinstance(block, Block)
        self.attention, self.norm = block.attention, block.attention_norm
        forward = forward_pass(self.model, loaded.tokens, edits=edits(changes, layer=layer, head=head))
        self.heads = forward.heads(layer)
        self.embedded, self.with_segments, self.with_positions = (
            array(one[0]) for one in (forward.embedded, forward.with_segments, forward.with_positions)
        )
        self.entering, self.x = (array(one[0]) for one in (forward.entering(layer), self.heads.input))

    def enters_at(self, point: InjectionPoint) -> About | None:
        """What the position scheme says of itself and of this head, if `point` is where it enters."""
        scheme = SCHEMES[self.config.positions]
        return scheme.about_head(self.head, self.config) if scheme.injection_point() == point else None

    def mixes(self) -> tuple[tuple[int, ...], ...]:
        """Dimensions of a query or a key that go into each dimension of what the positions rotate it to."""
        n_heads, d_head = self.config.n_heads, self.config.d_head
        units = torch.eye(d_head, device=device_of(self.model))[:, None, None]
        with torch.inference_mode():
            rotated = self.model.positions.rotate(units.expand(-1, n_heads, len(self.words) + 1, -1))
        used = array(rotated[:, self.head].abs().amax(dim=1)) > 0
        return tuple(tuple(np.flatnonzero(column).tolist()) for column in used.T)

    @property
    def scale(self) -> float:
        """What the dot products are multiplied by."""
        return self.heads.scale

    @property
    def allowed(self) -> Bool[np.ndarray, "query key"]:
        """Which query may attend to which key."""
        n = len(self.words)
        return np.broadcast_to(self.of_layer("allowed")[0], (n, n))

    def slice_of(self, name: str) -> slice:
        """The rows of the linear map that make the head's q, k or v, as `name` says."""
        return (self.attention.slice_of if name == "q" else self.attention.shared_slice_of)(self.head)

    def of_head(self, name: str) -> Matrix:
        """What the head recorded under `name`."""
        return self.of_layer(name)[self.head]

    def of_layer(self, name: str) -> np.ndarray:
        """What the layer's attention recorded under `name`, of all heads."""
        return array(getattr(self.heads, name)[0])

    @property
    def bias(self) -> Matrix | None:
        """What the positions add to the head's scores, if anything."""
        return None if self.heads.bias is None else array(self.heads.bias[self.head])


def array(tensor: Tensor) -> np.ndarray:
    """A tensor as a NumPy array."""
    values: np.ndarray = tensor.detach().cpu().numpy()
    return values


def added(linear: nn.Linear, part: slice = slice(None)) -> Matrix | None:
    """The additive bias of a linear map as one row; None where it adds nothing."""
    if linear.bias is None or not linear.bias[part].any():
        return None
    return array(linear.bias[None, part])
