"""The parts of an architecture: what each is for, and what it computed."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from torch import Tensor

from core.arrays import array_of
from core.measures.architectures.wiring import Place, Wiring
from core.measures.stages.latex import joined
from core.model.config import ModelConfig
from core.model.masks import MASKS
from core.model.positions import SCHEMES


class About(NamedTuple):
    """What a part does in a sentence, its formula in LaTeX, and the place that has it."""

    says: str
    formula: str = ""
    source: str = ""


SPOKEN: Mapping[str, str] = MappingProxyType(
    {
        "words": "words",
        "embed": "embedding",
        "types": "segments",
        "positions": "positions",
        "embed_norm": "norm of the embeddings",
        "blocks.below": "blocks below",
        "attention_norm": "norm of self-attention",
        "attention": "self-attention",
        "mid.sum": "sum after self-attention",
        "cross_attention_norm": "norm of cross-attention",
        "cross_attention": "cross-attention",
        "cross.sum": "sum after cross-attention",
        "mlp_norm": "norm of feed-forward",
        "mlp": "feed-forward",
        "out.sum": "sum after feed-forward",
        "blocks.above": "blocks above",
        "norm": "last norm",
        "transform": "transform",
        "logits": "output",
    }
)
"""What the end of a part's path is called in menus and links."""

INNER: Mapping[str, str] = MappingProxyType(
    {
        "q": "queries",
        "k": "keys",
        "v": "values",
        "bias": "bias",
        "scores": "scores",
        "allowed": "mask",
        "pattern": "weights",
        "z": "weighted values",
        "gate": "gate",
        "hidden": "hidden layer",
        "out": "output",
    }
)
"""What is recorded inside of a part, in words."""

_NOTE = "CS 224N note"
_ROWS = "where vectors are columns, not rows"
_WITHOUT = ", which have no {}"

ABOUT: Mapping[str, About] = MappingProxyType(
    {
        "words": About("Numbers of words in the vocabulary enter the model."),
        "segments": About("A learned vector says which segment a word is of."),
        "sum": About(
            "What enters the part is added to what the part gives: the residual connection.",
            r"f_\text{residual}(h_{1:n}) = f(h_{1:n}) + h_{1:n}",
            f"{_NOTE}, eq 29",
        ),
        "transform": About("A linear map with a nonlinearity and a norm, before states meet words."),
        "blocks": About("These blocks are drawn as one box: choose another layer to open one of them."),
        "operation": About("An operation that no other box stands for."),
    }
)
"""Descriptions of the parts that are the same in every model, by kind."""

ACTIVATION: Mapping[str, str] = MappingProxyType(
    {"relu": "ReLU", "gelu": "GELU", "gelu_tanh": "GELU", "silu": "SiLU"}
)
"""The names of activations in formulas."""


def spoken(name: str) -> str:
    """What a part is called, by its path: `decoder: cross-attention`."""
    stack, path = _split(name)
    end = path if path in SPOKEN else path.partition("blocks.")[2].partition(".")[2]
    return f"{stack}: {SPOKEN.get(end, end)}" if stack else SPOKEN.get(end, end)


def about(kind: str, config: ModelConfig) -> About:
    """Describe a part of this kind in a model of this configuration, with the formula that it computes."""
    return _BY_CONFIG[kind](config) if kind in _BY_CONFIG else ABOUT[kind]


def _positions(config: ModelConfig) -> About:
    scheme = SCHEMES[config.positions]
    return About(scheme.about.says, scheme.about_head(0, config).formula, scheme.about.source)


def _embedding(config: ModelConfig) -> About:
    source, scale = f"{_NOTE}, section 1.1, {_ROWS}", config.word_scale
    if scale == 1:
        return About("Every word has a learned vector.", r"x_i = w_i\,E", source)
    by_root = scale == config.d_model**0.5
    factor = r"\sqrt{d_\text{model}}" if by_root else f"{scale:.3g}"
    if by_root:
        source += "; multiplied as in Vaswani et al. 2017, section 3.4"
    return About(
        "Every word has a learned vector, multiplied by a fixed factor.", rf"x_i = {factor}\,w_i\,E", source
    )


def _norm(config: ModelConfig) -> About:
    if config.norm_kind == "rms":
        return About(
            "Every position is divided by its own root mean square and multiplied by a learned gain.",
            r"\text{RMSNorm}(h_i) = \frac{h_i}{\sqrt{\frac{1}{d}\,h_i\,h_i^\top}} \odot \gamma",
            "Zhang & Sennrich 2019, eq 4",
        )
    return About(
        "Every position is normalised by its own mean and standard deviation; gain and bias are learned.",
        r"\text{LN}(h_i) = \frac{h_i - \hat\mu_i}{\hat\sigma_i} \odot \gamma + \beta",
        f"{_NOTE}, eq 27–28; gain and bias: Ba et al. 2016",
    )


def _about_attention(config: ModelConfig) -> About:
    point = SCHEMES[config.positions].injection_point()
    added = {}
    if point == "bias":
        added["B"] = "the bias of the positions"
    if MASKS[config.mask].hides:
        added["M"] = "0 for an allowed key and −∞ for a masked one"
    named = ", and ".join(f"{name} is {what}" for name, what in added.items())
    absent = [*(["b"] if config.bias else []), *added]
    return About(
        "Every position averages the values of the positions that it may attend to; q, k and z are of "
        f"one head{f', {named}' if named else ''}.",
        _attended(config, "XXX", rotates=point == "rotate", added=tuple(added)),
        f"{_NOTE}, eq 22–26 and 32{_WITHOUT.format(' or '.join(absent)) if absent else ''}",
    )


def _cross_attention(config: ModelConfig) -> About:
    return About(
        "Queries are made of the decoder's states Z, keys and values of the encoder's output H.",
        _attended(config, "ZHH"),
        f"{_NOTE}, eq 33–36, {_ROWS}",
    )


def _attended(config: ModelConfig, made_of: str, *, rotates: bool = False, added: Sequence[str] = ()) -> str:
    """Describe an attention whose queries, keys and values are `made_of` these inputs."""
    q, k, v = (
        f"{of}{matrix}{_plus(config.bias, f'b_{matrix}')}" for of, matrix in zip(made_of, "QKV", strict=True)
    )
    if rotates:
        q, k = (rf"\operatorname{{rotate}}({made})" for made in (q, k))
    score = r"\frac{q\,k^\top}{\sqrt{d_\text{head}}}" if config.scale else r"q\,k^\top"
    lines = (
        rf"q = {q}, \quad k = {k}",
        rf"z = \text{{softmax}}\!\left({' + '.join([score, *added])}\right) ({v})",
        rf"h = {joined(config.n_heads)}\,O{_plus(config.bias, 'b_O')}",
    )
    return r"\begin{{gathered}} {} \end{{gathered}}".format(r" \\ ".join(lines))


def _feed_forward(config: ModelConfig) -> About:
    f = ACTIVATION[config.activation]
    hidden = rf"\text{{{f}}}(h_i W_1{_plus(config.bias, 'b_1')})"
    says, source = (
        "Two linear maps with a nonlinearity between them, at each position alone.",
        f"{_NOTE}, eq 17, {_ROWS}",
    )
    if config.gated:
        gate = rf"\text{{{f}}}(h_i W_0{_plus(config.bias, 'b_0')})"
        hidden = rf"\bigl({gate} \odot (h_i W_1{_plus(config.bias, 'b_1')})\bigr)"
        says = "Two linear maps are multiplied, one of them after a nonlinearity, and a third one follows."
        source = "Shazeer 2020, section 2"
    return About(says, rf"\text{{FF}}(h_i) = {hidden}\,W_2{_plus(config.bias, 'b_2')}", source)


def _output(config: ModelConfig) -> About:
    matrix = r"E^\top" if config.tied else r"W_\text{out}"
    of = "the vector of every word" if config.tied else "a learned vector for every word"
    return About(
        f"Every state is compared with {of}: a logit for each. The softmax, which follows, makes them "
        "probabilities.",
        rf"y_i = h_i\,{matrix}{_plus(config.output_bias, 'b')}",
        f"{_NOTE}, section 3.5, before the softmax",
    )


def _plus(is_added: bool, name: str) -> str:
    return f" + {name}" if is_added else ""


_BY_CONFIG: Mapping[str, Callable[[ModelConfig], About]] = MappingProxyType(
    {
        "positions": _positions,
        "embedding": _embedding,
        "norm": _norm,
        "attention": _about_attention,
        "cross-attention": _cross_attention,
        "feed-forward": _feed_forward,
        "output": _output,
    }
)
"""Descriptions of the parts that depend on the model, by kind."""


def _split(name: str) -> tuple[str, str]:
    first, _, rest = name.partition(".")
    return (first, rest) if first in ("encoder", "decoder") else ("", name)


Kind = str
"""One of the kinds of `core.measures.architectures.parts.ABOUT`; inside of a part, a recorded name."""

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
"""What is recorded at the end of a part that is drawn as one box, whatever happens inside."""

INSIDE = re.compile(r"\b(attention|cross_attention|mlp)\.(?!input$|out$)\w+$")
"""What is recorded inside of such a part: its input and its end are not."""

NORMS = frozenset({"layer_norm", "rms_norm"})
SUMS = frozenset({"add", "__add__", "__radd__", "__iadd__"})
SHAPING = frozenset({"linear", "__get__", "reshape", "permute", "transpose", "unsqueeze", "expand", "view"})
"""What makes heads of words and nothing else: queries and keys made otherwise know of positions."""


@dataclass(frozen=True, eq=False)
class Part:
    """A box: what it is, what it computed for the sentence, and which parts that was made of.

    `name` is a path in the module tree where there is such a module. `value` has no batch axis: (word, …),
    or (head, …) in an attention. `inputs` are names of parts, in the order in which they come in.
    """

    name: str
    kind: Kind
    value: np.ndarray
    inputs: tuple[str, ...]
    place: Place | None

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of what leaves the part."""
        return self.value.shape


@dataclass(frozen=True, eq=False)
class Attention:
    """What of an attention its box says: its heads, what its mask allows, and where positions act in it.

    `allowed` is (query, key). `turned` where queries and keys know of positions, `biased` where scores do.
    """

    n_heads: int
    allowed: np.ndarray
    turned: bool
    biased: bool

    @property
    def hidden(self) -> int:
        """How many of its weights the mask makes 0."""
        return int((~self.allowed).sum())


@dataclass(frozen=True, eq=False)
class Anatomy:
    """The parts of a model in the order in which they computed, and what is inside of some of them."""

    parts: Mapping[str, Part]
    inside: Mapping[str, tuple[Part, ...]] = field(default_factory=dict)
    attentions: Mapping[str, Attention] = field(default_factory=dict)


def anatomy(wiring: Wiring, given: Mapping[str, Tensor]) -> Anatomy:
    """The parts of the model that `wiring` has watched; `given` are the tokens it read, by their names."""
    builder = _Builder(wiring, given)
    for name, tensor in wiring.recorded.items():
        builder.take(name, tensor)
    whole = [name for name, part in builder.parts.items() if part.kind in _INNER_ORDER]
    inside = {name: _inside(name, wiring, builder.known) for name in whole}
    attentions = {name: _attention(name, wiring) for name in whole if "attention" in builder.parts[name].kind}
    return Anatomy(builder.parts, inside, attentions)


class _Builder:
    """Finds the boxes between what is recorded; `known` is the part that every such tensor has left."""

    def __init__(self, wiring: Wiring, given: Mapping[str, Tensor]) -> None:
        self._wiring = wiring
        self.parts: dict[str, Part] = {}
        self.known: dict[int, str] = {}
        for name, tokens in given.items():
            self._add(name, "words", tokens, (), ())

    def take(self, name: str, tensor: Tensor) -> None:
        """Add what was computed to arrive at a recorded tensor: nothing where another name has it too."""
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
        """The part that `tensor` has left; norms, sums and what nobody foresaw become parts on the way."""
        if id(tensor) in self.known:
            return self.known[id(tensor)]
        made = self._wiring.maker(tensor)
        assert made is not None, f"{name} came from nowhere"
        alive = [one for one in made.inputs if self._is_alive(one)]
        if made.name in SUMS and len(alive) == 1 and not any(made.numbers):
            return self._expand(alive[0], name)  # 0 is added: no residual connection
        inputs = tuple(self._expand(one, name) for one in alive)
        if made.name in NORMS:
            path = self._wiring.module_of(made) or f"{name}.norm"
            return self._add(path, "norm", tensor, inputs, made.places)
        kind = "sum" if made.name in SUMS and len(alive) > 1 else "operation"
        path = f"{name}.{'sum' if kind == 'sum' else made.name}"
        return self._add(path, kind, tensor, inputs, made.places)

    def _is_alive(self, tensor: Tensor) -> bool:
        """Whether a tensor depends on the sentence."""
        return id(tensor) in self.known or bool(self._wiring.sources(tensor, self.known))

    def _add(
        self, name: str, kind: Kind, tensor: Tensor, inputs: tuple[str, ...], places: tuple[Place, ...]
    ) -> str:
        while name in self.parts:
            name += "'"
        own = [place for place in places if place.file != "core/model/attention.py"]
        place = own[0] if own else None
        self.parts[name] = Part(name, kind, array_of(tensor[0]), inputs, place)
        self.known[id(tensor)] = name
        return name


_INNER_ORDER: Mapping[str, tuple[str, ...]] = {
    "attention": ("q", "k", "v", "bias", "scores", "allowed", "pattern", "z", "out"),
    "cross-attention": ("q", "k", "v", "bias", "scores", "allowed", "pattern", "z", "out"),
    "feed-forward": ("gate", "hidden", "out"),
}
"""What is recorded inside of a part, from its input to its end."""


def _inside(name: str, wiring: Wiring, entering: Mapping[int, str]) -> tuple[Part, ...]:
    """The parts of a part, named as they are recorded below it; what enters keeps the name it has outside."""
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
            _first(recorded.places[prefix + one]),
        )
        for one, tensor in inner.items()
    )


def _attention(name: str, wiring: Wiring) -> Attention:
    recorded = wiring.recorded
    heads, queries, keys = recorded[f"{name}.pattern"].shape[1:]
    allowed = np.broadcast_to(array_of(recorded[f"{name}.allowed"][0, 0]), (queries, keys))
    stop = {id(recorded[f"{name}.input"])}
    turned = bool(wiring.operations(recorded[f"{name}.q"], stop) - SHAPING)
    return Attention(heads, allowed, turned, f"{name}.bias" in recorded)


def _first(places: tuple[Place, ...]) -> Place | None:
    return places[0] if places else None
