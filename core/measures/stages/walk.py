"""A head followed from embeddings to its output, in a hand-made, a small or any recorded model."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from jaxtyping import Bool, Float
from torch import nn

from core.arrays import numbers_of
from core.device import device_of
from core.measures.stages.stage import (
    MASKED,
    Change,
    Grid,
    Operand,
    Stage,
    dimensions,
    edits,
    rename_dimensions,
)
from core.model.blocks import Block
from core.model.config import ModelConfig
from core.model.forward import forward_pass
from core.model.masks import MASKS
from core.model.norm import LayerNorm, RMSNorm
from core.model.positions import SCHEMES, InjectionPoint, SchemeDescription
from core.sources import LoadedModel

SMALL_SOURCE = "random"
"""No model this small was trained, so its weights are random."""

D_MODEL, N_HEADS = 8, 2

SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def small(config: ModelConfig) -> ModelConfig:
    """Return `config` with 8 dimensions, two heads and one layer without a norm at its input."""
    return replace(config, d_model=D_MODEL, n_heads=N_HEADS, n_layers=1, d_mlp=None, norm="none")


def is_small(config: ModelConfig) -> bool:
    """Return whether a configuration is `small`. A real one may have options that `small` cannot keep."""
    return (config.d_model, config.n_heads, config.n_layers) == (D_MODEL, N_HEADS, 1)


Matrix = Float[np.ndarray, "row column"]


class Recorded:
    """All results of a model at `head` of `layer`, both from 0, with the `changes` made.

    `entering` is the input of the layer, `x` the input of its queries, keys and values.
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
            numbers_of(one[0]) for one in (forward.embedded, forward.with_segments, forward.with_positions)
        )
        self.entering, self.x = (numbers_of(one[0]) for one in (forward.entering(layer), self.heads.input))

    def enters_at(self, point: InjectionPoint) -> SchemeDescription | None:
        """Return how the position scheme describes itself and this head, if it enters at `point`."""
        scheme = SCHEMES[self.config.positions]
        return scheme.about_head(self.head, self.config) if scheme.injection_point() == point else None

    def mixes(self) -> tuple[tuple[int, ...], ...]:
        """Return the dimensions of a query or key that go into each dimension of its rotation."""
        n_heads, d_head = self.config.n_heads, self.config.d_head
        units = torch.eye(d_head, device=device_of(self.model))[:, None, None]
        with torch.inference_mode():
            rotated = self.model.positions.rotate(units.expand(-1, n_heads, len(self.words) + 1, -1))
        used = numbers_of(rotated[:, self.head].abs().amax(dim=1)) > 0
        return tuple(tuple(np.flatnonzero(column).tolist()) for column in used.T)

    @property
    def scale(self) -> float:
        return self.heads.scale

    @property
    def allowed(self) -> Bool[np.ndarray, "query key"]:
        n = len(self.words)
        return np.broadcast_to(self.of_layer("allowed")[0], (n, n))

    def slice_of(self, name: str) -> slice:
        """Return the rows of the linear map for the head's q, k or v, by `name`."""
        return (self.attention.slice_of if name == "q" else self.attention.shared_slice_of)(self.head)

    def of_head(self, name: str) -> Matrix:
        return self.of_layer(name)[self.head]

    def of_layer(self, name: str) -> np.ndarray:
        return numbers_of(getattr(self.heads, name)[0])

    @property
    def bias(self) -> Matrix | None:
        return None if self.heads.bias is None else numbers_of(self.heads.bias[self.head])


def added(linear: nn.Linear, part: slice = slice(None)) -> Matrix | None:
    """Return the additive bias of a linear map as one row; None if it adds nothing."""
    if linear.bias is None or not linear.bias[part].any():
        return None
    return numbers_of(linear.bias[None, part])


@dataclass(frozen=True)
class Walk:
    """A head over a sentence: its stages, and matrices for other views; `x` enters the maps."""

    stages: tuple[Stage, ...]
    x: Matrix
    q: Matrix
    k: Matrix
    v: Matrix
    scale: float
    scores: Float[np.ndarray, "query key"]
    allowed: Bool[np.ndarray, "query key"]
    unknown: tuple[int, ...]
    config: ModelConfig


def walk(loaded: LoadedModel, *, layer: int = 0, head: int = 0, changes: Sequence[Change] = ()) -> Walk:
    """Follow `head` of `layer`, both from 0, and mark entries that `changes` moved.

    Raises ValueError for an entry that does not exist.
    """
    for change in changes:
        change.check(n_words=len(loaded.words), d_head=loaded.model.config.d_head)
    base = _named_walk(loaded, layer, head, ())
    if not changes:
        return base
    changed = _named_walk(loaded, layer, head, changes)
    marked = [mine.against(other) for mine, other in zip(changed.stages, base.stages, strict=True)]
    for name in {change.matrix for change in changes}:
        at = next(at for at, stage in enumerate(marked) if stage.changeable == name)
        others = [change for change in changes if change.matrix != name]
        without = _named_walk(loaded, layer, head, others).stages[at].result.matrix
        computed = np.full(without.shape, np.nan)
        for change in changes:
            if change.matrix == name:
                computed[change.row, change.column] = without[change.row, change.column]
        marked[at] = replace(marked[at], result=replace(marked[at].result, computed=computed))
    return replace(changed, stages=tuple(marked))


def _named_walk(loaded: LoadedModel, layer: int, head: int, changes: Sequence[Change]) -> Walk:
    found = _walk(Recorded(loaded, layer, head, changes))
    if loaded.dimensions is None:
        return found
    return replace(found, stages=rename_dimensions(found.stages, loaded.dimensions, head=head))


def _walk(recorded: Recorded) -> Walk:
    before = _before(recorded)
    projected = [stage for name in "qkv" for stage in _projected(name, before[-1].symbol, recorded)]
    compared = _compared(recorded)
    stages = [
        *before,
        *projected,
        *compared,
        *_weighed(compared[-1], recorded),
        _weighted_sum(recorded),
        _joined(recorded),
        _output(recorded),
    ]
    return Walk(
        stages=tuple(stages),
        x=recorded.x,
        q=recorded.of_head("q"),
        k=recorded.of_head("k"),
        v=recorded.of_head("v"),
        scale=recorded.scale,
        scores=recorded.of_head("scores"),
        allowed=recorded.allowed,
        unknown=recorded.unknown,
        config=recorded.config,
    )


def _before(recorded: Recorded) -> list[Stage]:
    """Return the stages from the words to the input of queries, keys and values."""
    below = Stage("states", "x", "given", (), dimensions(recorded.entering, recorded.words))
    stages = _embedded(recorded) if recorded.layer == 0 else [below]
    if recorded.config.norm == "pre":  # post-norm comes after the head
        stages.append(
            _normalised("norm", "x̂", stages[-1], recorded.norm, dimensions(recorded.x, recorded.words))
        )
    return stages


def _embedded(recorded: Recorded) -> list[Stage]:
    """Return the stages of the word vectors before the first layer; BERT normalises them there."""
    stages = [_looked_up(recorded)]
    if recorded.config.n_types:
        segment = dimensions((recorded.with_segments - recorded.embedded)[:1], [""])
        operands = _last(stages), Operand("T", segment, "column", before="+")
        result = dimensions(recorded.with_segments, recorded.words)
        stages.append(Stage("segments", "x′", "add", operands, result))
    if about := recorded.enters_at("embed"):
        places = dimensions(recorded.with_positions - recorded.with_segments, recorded.words)
        operands = _last(stages), Operand("P", places, "cell", before="+")
        result = dimensions(recorded.with_positions, recorded.words)
        stages.append(Stage("positions", "x̃", "add", operands, result, positions=about))
    if recorded.config.embed_norm and recorded.config.norm != "none":
        result = dimensions(recorded.entering, recorded.words)
        stages.append(_normalised("embedding norm", "x̄", stages[-1], recorded.model.embed_norm, result))
    return stages


def _last(stages: Sequence[Stage]) -> Operand:
    return Operand(stages[-1].symbol, stages[-1].result, "cell")


def _looked_up(recorded: Recorded) -> Stage:
    """Return the embeddings as one-hot rows times the table; only the rows of the sentence are shown."""
    distinct = tuple(dict.fromkeys(recorded.words))
    # Unknown words share one row, which is shown for each of them.
    tokens = recorded.tokens[[recorded.words.index(word) for word in distinct]]
    table = dimensions(numbers_of(recorded.model.embed.weight)[tokens], distinct)
    factor = _factor(recorded.config)
    one_hot = np.array([[float(word == one) for one in distinct] for word in recorded.words], np.float32)
    operands = (
        Operand("w", Grid(one_hot, recorded.words, distinct, over_words=True), "row"),
        Operand("E", table, "column", before="·", after=factor),
    )
    return Stage("embeddings", "x", "pick", operands, dimensions(recorded.embedded, recorded.words))


def _factor(config: ModelConfig) -> str:
    """Return the factor of a table of embeddings, as text; empty without one."""
    if config.word_scale == 1:
        return ""
    by_root = config.word_scale == config.d_model**0.5
    return f"· √{config.d_model}" if by_root else f"· {config.word_scale:.3g}"


def _normalised(name: str, symbol: str, entering: Stage, norm: nn.Module, result: Grid) -> Stage:
    assert isinstance(norm, LayerNorm | RMSNorm)
    layer_norm = isinstance(norm, LayerNorm)
    operands = [Operand(entering.symbol, entering.result, "row", before="LN" if layer_norm else "RMS")]
    gain = numbers_of(norm.gain[None])
    if (gain != 1).any():
        operands.append(Operand("gain", dimensions(gain, [""]), "column", before="⊙"))
    if isinstance(norm, LayerNorm) and norm.bias.any():
        operands.append(Operand("bias", dimensions(numbers_of(norm.bias[None]), [""]), "column", before="+"))
    return Stage(name, symbol, "normalise", tuple(operands), result)


def _projected(name: str, x: str, recorded: Recorded) -> list[Stage]:
    """Return the stages of queries, keys or values; a norm and rotary positions may change the first two."""
    attention = recorded.attention
    linear = {"q": attention.query, "k": attention.key, "v": attention.value}[name]
    part, result = recorded.slice_of(name), dimensions(recorded.of_head(name), recorded.words)
    operands = (
        Operand(x, dimensions(recorded.x, recorded.words), "row"),
        Operand(name.upper(), dimensions(numbers_of(linear.weight[part]).T), "column", before="·"),
        *_additive(linear, part),
    )
    stages = [Stage(name, name, "multiply", operands, result)]
    if name != "v" and attention.qk_norm:
        bias = added(linear, part)
        raw = recorded.x @ numbers_of(linear.weight[part]).T + (0 if bias is None else bias)
        stages = [Stage(f"raw {name}", f"{name}̃", "multiply", operands, dimensions(raw, recorded.words))]
        norm = attention.query_norm if name == "q" else attention.key_norm
        stages.append(_normalised(name, name, stages[0], norm, result))
    last = replace(stages.pop(), changeable=name)
    if name != "v" and (about := recorded.enters_at("rotate")) is not None:
        last = replace(last, rule="rotate", positions=about, mixes=recorded.mixes())
    return [*stages, last]


def _compared(recorded: Recorded) -> list[Stage]:
    """Return the dot products, scaled and biased as in the model; the last can be changed."""
    q, k, words = recorded.of_head("q"), recorded.of_head("k"), recorded.words
    keys = Grid(k.T, dimensions(k.T).rows, words, over_words=True)
    operands = (Operand("q", dimensions(q, words), "row"), Operand("kᵀ", keys, "column", before="·"))
    stages = [Stage("scores", "S", "multiply", operands, _square(q @ k.T, recorded))]
    if recorded.config.scale:
        divided = Operand("S", stages[0].result, "cell", after=f"/ √{recorded.config.d_head}")
        scaled = _square(q @ k.T * np.float32(recorded.scale), recorded)
        stages.append(Stage("scale", "S scaled", "divide", (divided,), scaled))
    if recorded.bias is not None:
        below = Operand(stages[-1].symbol, stages[-1].result, "cell")
        bias = Operand("B", _square(recorded.bias, recorded), "cell", before="+")
        about = recorded.enters_at("bias")
        stages.append(Stage("bias", "S biased", "add", (below, bias), stages[-1].result, positions=about))
    scores = _square(recorded.of_head("scores"), recorded)
    return [*stages[:-1], replace(stages[-1], result=scores, changeable="scores")]


def _weighed(scores: Stage, recorded: Recorded) -> list[Stage]:
    """Return the mask, if the model has one, and the softmax over its allowed keys."""
    if recorded.allowed.all() and not MASKS[recorded.config.mask].hides:
        compared = Operand(scores.symbol, scores.result, "row", before="softmax")
        return [Stage("softmax", "α", "softmax", (compared,), _pattern(recorded))]
    mask = _square(np.where(recorded.allowed, np.float32(0), np.float32(-np.inf)), recorded)
    operands = (Operand(scores.symbol, scores.result, "cell"), Operand("M", mask, "cell", before="+"))
    masked = _square(scores.result.matrix + mask.matrix, recorded)
    name = scores.symbol if recorded.allowed.all() else MASKED
    compared = Operand(name, masked, "row", before="softmax")
    return [
        Stage("mask", name, "add", operands, masked, unmasked=scores.symbol),
        Stage("softmax", "α", "softmax", (compared,), _pattern(recorded), unmasked=scores.symbol),
    ]


def _weighted_sum(recorded: Recorded) -> Stage:
    operands = (
        Operand("α", _pattern(recorded), "row"),
        Operand("v", dimensions(recorded.of_head("v"), recorded.words), "column", before="·"),
    )
    result = dimensions(recorded.of_head("z"), recorded.words)
    return Stage("weighted sum", "z", "multiply", operands, result)


def _joined(recorded: Recorded) -> Stage:
    operands = tuple(
        Operand(
            f"z{str(at + 1).translate(SUBSCRIPTS)}",
            dimensions(z, recorded.words),
            "cell",
            before=";" if at else "",
            offset=at * recorded.config.d_head,
        )
        for at, z in enumerate(recorded.of_layer("z"))
    )
    return Stage("heads", "Z", "join", operands, _all_heads(recorded))


def _output(recorded: Recorded) -> Stage:
    linear = recorded.attention.output
    operands = (
        Operand("Z", _all_heads(recorded), "row"),
        Operand("O", dimensions(numbers_of(linear.weight).T), "column", before="·"),
        *_additive(linear),
    )
    return Stage("output", "h", "multiply", operands, dimensions(recorded.of_layer("out"), recorded.words))


def _pattern(recorded: Recorded) -> Grid:
    return replace(_square(recorded.of_head("pattern"), recorded), is_weights=True, hidden=~recorded.allowed)


def _square(matrix: Float[np.ndarray, "query key"], recorded: Recorded) -> Grid:
    return Grid(matrix, recorded.words, recorded.words, over_words=True)


def _all_heads(recorded: Recorded) -> Grid:
    return dimensions(np.concatenate(list(recorded.of_layer("z")), axis=1), recorded.words)


def _additive(linear: nn.Linear, part: slice = slice(None)) -> tuple[Operand, ...]:
    row = added(linear, part)
    return () if row is None else (Operand("b", dimensions(row, [""]), "column", before="+"),)
