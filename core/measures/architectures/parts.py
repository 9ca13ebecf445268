"""Parts of a model, found between the tensors that one forward pass records."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from torch import Tensor

from core.arrays import array_of
from core.measures.architectures.wiring import ComputationGraph, Place

Kind = str
"""A kind of part, such as `attention` or `sum`; inside a part, a recorded name."""

WHOLE: Mapping[str, Kind] = {
    "embed": "embedding",
    "types": "segments",
    "positions": "positions",
    "attention.out": "attention",
    "cross_attention.out": "cross-attention",
    "mlp.out": "feed-forward",
    "transform": "transform",
    "logits": "output",
}
"""Ends of the recorded names of parts that are drawn as one box, and their kinds."""

INSIDE = re.compile(r"\b(attention|cross_attention|mlp)\.(?!input$|out$)\w+$")
"""Names recorded inside such a part, without its input and its end."""

NORMS = frozenset({"layer_norm", "rms_norm"})
SUMS = frozenset({"add", "__add__", "__radd__", "__iadd__"})
SHAPING = frozenset({"linear", "__get__", "reshape", "permute", "transpose", "unsqueeze", "expand", "view"})
"""Operations that only split words into heads; any other one on queries and keys adds positions."""


@dataclass(frozen=True, eq=False)
class Part:
    """The value that a part computed for the sentence, without a batch axis, and the names of its inputs."""

    name: str
    kind: Kind
    value: np.ndarray
    inputs: tuple[str, ...]
    place: Place | None

    @property
    def shape(self) -> tuple[int, ...]:
        return self.value.shape


@dataclass(frozen=True, eq=False)
class AttentionPart:
    """An attention; positions act on its queries and keys if `turned`, on its scores if `biased`."""

    n_heads: int
    allowed: np.ndarray
    turned: bool
    biased: bool

    @property
    def hidden(self) -> int:
        """Number of its weights that the mask makes 0."""
        return int((~self.allowed).sum())


@dataclass(frozen=True, eq=False)
class Anatomy:
    """The parts of a model in the order of computation, and the parts inside some of them."""

    parts: Mapping[str, Part]
    inside: Mapping[str, tuple[Part, ...]] = field(default_factory=dict)
    attentions: Mapping[str, AttentionPart] = field(default_factory=dict)


def anatomy(wiring: ComputationGraph, given: Mapping[str, Tensor]) -> Anatomy:
    """Return the parts of the model that `wiring` has watched; `given` are the tokens it read, by name."""
    builder = _Builder(wiring, given)
    for name, tensor in wiring.recorded.items():
        builder.take(name, tensor)
    whole = [name for name, part in builder.parts.items() if part.kind in _INNER_ORDER]
    inside = {name: _inside(name, wiring, builder.known) for name in whole}
    attentions = {name: _attention(name, wiring) for name in whole if "attention" in builder.parts[name].kind}
    return Anatomy(builder.parts, inside, attentions)


class _Builder:
    """A finder of the boxes between recorded tensors; `known` is the part that each such tensor left."""

    def __init__(self, wiring: ComputationGraph, given: Mapping[str, Tensor]) -> None:
        self._wiring = wiring
        self.parts: dict[str, Part] = {}
        self.known: dict[int, str] = {}
        for name, tokens in given.items():
            self._add(name, "words", tokens, (), ())

    def take(self, name: str, tensor: Tensor) -> None:
        """Add the computation of a recorded tensor; nothing if another name has the same tensor."""
        if INSIDE.search(name) or id(tensor) in self.known:
            return
        places = self._wiring.recorded.places[name]
        for end, kind in WHOLE.items():
            if name == end or name.endswith(f".{end}"):
                path = name.removesuffix(".out")
                self._add(path, kind, tensor, self._wiring.sources(tensor, self.known), places)
                return
        self._expand(tensor, name)

    def _expand(self, tensor: Tensor, name: str) -> str:
        """Return the part that `tensor` has left; norms, sums and other operations become parts."""
        if id(tensor) in self.known:
            return self.known[id(tensor)]
        made = self._wiring.maker(tensor)
        assert made is not None, f"{name} came from nowhere"
        alive = [one for one in made.inputs if id(one) in self.known or self._wiring.sources(one, self.known)]
        if made.name in SUMS and len(alive) == 1 and not any(made.numbers):
            return self._expand(alive[0], name)  # 0 is added: there is no residual connection
        inputs = tuple(self._expand(one, name) for one in alive)
        if made.name in NORMS:
            path = self._wiring.module_of(made) or f"{name}.norm"
            return self._add(path, "norm", tensor, inputs, made.places)
        kind = "sum" if made.name in SUMS and len(alive) > 1 else "operation"
        path = f"{name}.{'sum' if kind == 'sum' else made.name}"
        return self._add(path, kind, tensor, inputs, made.places)

    def _add(
        self, name: str, kind: Kind, tensor: Tensor, inputs: tuple[str, ...], places: tuple[Place, ...]
    ) -> str:
        while name in self.parts:
            name += "'"
        own = [place for place in places if place.file != "core/model/attention.py"]
        self.parts[name] = Part(name, kind, array_of(tensor[0]), inputs, next(iter(own), None))
        self.known[id(tensor)] = name
        return name


_INNER_ORDER: Mapping[str, tuple[str, ...]] = {
    "attention": ("q", "k", "v", "bias", "scores", "allowed", "pattern", "z", "out"),
    "cross-attention": ("q", "k", "v", "bias", "scores", "allowed", "pattern", "z", "out"),
    "feed-forward": ("gate", "hidden", "out"),
}
"""Names recorded inside a part, from its input to its end."""


def _inside(name: str, wiring: ComputationGraph, entering: Mapping[int, str]) -> tuple[Part, ...]:
    """Return the parts inside a part, by recorded name; its inputs keep the names that they have outside."""
    recorded = wiring.recorded
    prefix = f"{name}."
    inner = {one.removeprefix(prefix): recorded[one] for one in recorded if one.startswith(prefix)}
    inner.pop("input", None)
    known = {**entering, **{id(tensor): one for one, tensor in inner.items()}}
    return tuple(
        Part(
            one,
            one,
            array_of(tensor if one == "bias" else tensor[0]),
            wiring.sources(tensor, known),
            next(iter(recorded.places[prefix + one]), None),
        )
        for one, tensor in inner.items()
    )


def _attention(name: str, wiring: ComputationGraph) -> AttentionPart:
    recorded = wiring.recorded
    heads, queries, keys = recorded[f"{name}.pattern"].shape[1:]
    allowed = np.broadcast_to(array_of(recorded[f"{name}.allowed"][0, 0]), (queries, keys))
    stop = {id(recorded[f"{name}.input"])}
    turned = bool(wiring.operations(recorded[f"{name}.q"], stop) - SHAPING)
    return AttentionPart(heads, allowed, turned, f"{name}.bias" in recorded)
