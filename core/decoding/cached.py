"""A Transformer that writes word by word; kept keys and values enter by edits of a trace."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.nn.functional import pad

from core.decoding.decoding import Logits, Words
from core.device import device_of
from core.model.models import Transformer
from core.model.positions import PositionScheme
from core.model.trace import Edit, Trace

Kept = Mapping[str, Tensor]
"""Keys and values by their path in the decoder."""


@dataclass(frozen=True, eq=False)
class KVCacheState:
    """A decoder after `n` words, with their keys and values; `memory_allowed` is None without a source."""

    decoder: Transformer
    kept: Kept
    n: int = 0
    memory_allowed: Bool[Tensor, "row 1 1 source"] | None = None
    given: int = 0

    def step(self, words: Words) -> tuple[Logits, "KVCacheState"]:
        trace = Trace(edits=self._edits(), keep=["blocks.*attention.[kv]"])
        memory = {} if self.memory_allowed is None else self._memory(len(words))
        logits = self.decoder(words[:, None].to(device_of(self.decoder)), trace=trace, **memory)
        return logits[:, -1], replace(self, kept=dict(trace), n=self.n + 1)

    def select_rows(self, chosen: Words) -> "KVCacheState":
        kept = {name: value[chosen] for name, value in self.kept.items()}
        allowed = None if self.memory_allowed is None else self.memory_allowed[chosen]
        return replace(self, kept=kept, memory_allowed=allowed)

    def _memory(self, n_rows: int) -> dict[str, Tensor]:
        """Return a memory of one position as a placeholder: kept keys and values replace its own."""
        weight = self.decoder.embed.weight
        assert self.memory_allowed is not None
        return {
            "memory": weight.new_zeros(n_rows, 1, self.decoder.config.d_model),
            "memory_allowed": self.memory_allowed,
        }

    def _edits(self) -> dict[str, Edit]:
        """Return the edits that turn a one-word sentence into the last word of a longer one."""
        positions, n, edits = self.decoder.positions, self.n, dict[str, Edit]()
        allowed = self.decoder.config.allowed(n + 1, given=self.given)[:, :, -1:]
        assert isinstance(positions, PositionScheme)
        edits |= _moved(positions, n)
        for i in range(self.decoder.config.n_layers):
            path = f"blocks.{i}.attention"
            edits |= _among_earlier(path, positions, self.kept, allowed)
            cross = {name: self.kept.get(f"blocks.{i}.cross_attention.{name}") for name in ("k", "v")}
            for name, value in cross.items():
                if value is not None:
                    edits[f"blocks.{i}.cross_attention.{name}"] = _instead(value)
        return edits


def _instead(value: Tensor) -> Edit:
    return lambda _: value


def _moved(positions: PositionScheme, n: int) -> dict[str, Edit]:
    """Return edits that give the word's vector position `n` instead of position 0."""
    words: list[Float[Tensor, "row 1 d_model"]] = []

    def remember(x: Tensor) -> Tensor:
        words.append(x)
        return x

    return {"embed": remember, "positions": lambda _: positions.embed(pad(words[0], (0, 0, n, 0)))[:, -1:]}


def _among_earlier(
    path: str, positions: PositionScheme, kept: Kept, allowed: Bool[Tensor, "1 1 1 key"]
) -> dict[str, Edit]:
    """Return edits that let the last position, computed at position 0, attend to all that it may see."""
    n = allowed.shape[-1] - 1
    queries: list[Tensor] = []
    keys: list[Tensor] = []

    def rotated(vectors: Float[Tensor, "row head 1 d_head"]) -> Tensor:
        # Position 0 rotates nothing, so these are the vectors as projected.
        return positions.rotate(pad(vectors, (0, 0, n, 0)))[:, :, -1:]

    def after(name: str, into: list[Tensor], change: Callable[[Tensor], Tensor]) -> Edit:
        def edit(value: Tensor) -> Tensor:
            earlier = kept.get(f"{path}.{name}")
            into.append(change(value) if earlier is None else torch.cat([earlier, change(value)], dim=2))
            return into[-1]

        return edit

    def query(value: Tensor) -> Tensor:
        queries.append(rotated(value))
        return queries[-1]

    def bias(_: Tensor) -> Tensor:
        whole = positions.bias(pad(queries[-1], (0, 0, n, 0)), keys[-1])
        assert whole is not None, "only a scheme with a bias is asked"
        return whole[:, -1:]

    edits = {"q": query, "k": after("k", keys, rotated), "v": after("v", [], lambda value: value)}
    if type(positions).bias is not PositionScheme.bias:
        edits["bias"] = bias
    edits["allowed"] = lambda mask: allowed.to(mask.device)
    return {f"{path}.{name}": edit for name, edit in edits.items()}
