"""Position schemes and their descriptions; each scheme overrides one of three injection points."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, Literal, Protocol, Self

import torch
from jaxtyping import Float
from torch import Tensor, nn

from core.model.positions.frequencies import RotaryScaling

Vectors = Float[Tensor, "batch position d_model"]
Heads = Float[Tensor, "batch head position d_head"]
Bias = Float[Tensor, "head query key"]

InjectionPoint = Literal["embed", "rotate", "bias"]

INJECTION_POINTS: Mapping[InjectionPoint, str] = MappingProxyType(
    {"embed": "word vectors", "rotate": "queries and keys", "bias": "scores"}
)
"""The injection points of a scheme, in the order in which a sentence passes them, and what each changes."""


@dataclass(frozen=True, kw_only=True)
class SchemeDescription:
    """The description of a scheme, used wherever it is shown.

    `title` is a noun phrase, and `name` one or two words for a row or a curve. `in_brief` is a short label
    below a small picture, and `says` the same in full sentences. `formula` is LaTeX: the definition of P (a
    vector for each position), R (a rotation for each position) or B (a bias for each query and key), by the
    injection point. `source` is the publication of the scheme.
    """

    title: str
    name: str
    in_brief: str
    says: str
    formula: str = ""
    source: str = ""


class Sizes(Protocol):
    """The numbers of a Transformer that a scheme may need; `core.model.config.ModelConfig` has them all.

    `max_len` bounds schemes with a row for each position. `slopes` are ALiBi's if a model has its own,
    `rotary_base` is the base of the wavelengths of rotary positions, which `rotary_scaling` may slow, and
    `knows_both_sides` says whether relative positions have parameters for keys after a query as well as
    before it.
    """

    @property
    def d_model(self) -> int: ...
    @property
    def n_heads(self) -> int: ...
    @property
    def d_head(self) -> int: ...
    @property
    def max_len(self) -> int: ...
    @property
    def slopes(self) -> tuple[float, ...] | None: ...
    @property
    def rotary_base(self) -> float: ...
    @property
    def rotary_scaling(self) -> RotaryScaling | None: ...
    @property
    def knows_both_sides(self) -> bool: ...


class PositionScheme(nn.Module):
    """A way to encode the positions of words; by default every injection point returns its input.

    A scheme overrides one of `embed`, `rotate` and `bias`, and describes itself in `about`. Its parameters
    start with the standard deviation `initial_deviation`.
    """

    about: ClassVar[SchemeDescription]
    initial_deviation: float = 1.0

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()

    def embed(self, x: Vectors) -> Vectors:
        """Return word vectors with the scheme's addition."""
        return x

    def rotate(self, q_or_k: Heads) -> Heads:
        """Return queries or keys with each pair of neighbouring dimensions rotated by the position."""
        return q_or_k

    def bias(self, q: Heads, k: Heads) -> Bias | None:
        """Return the scheme's addition to the scaled scores of these queries and keys, if any."""
        return None

    @classmethod
    def injection_point(cls) -> InjectionPoint | None:
        """Return the overridden injection point, read from the code; None for no positions."""
        overridden = (p for p in INJECTION_POINTS if getattr(cls, p) is not getattr(PositionScheme, p))
        return next(overridden, None)

    @classmethod
    def check(cls, sizes: Sizes) -> None:
        """Raise ValueError, with what was expected and got, for a configuration the scheme cannot have."""

    @classmethod
    def longest(cls, sizes: Sizes) -> int | None:
        """Return the largest number of words of a sentence; None if the scheme has no limit."""
        return None

    @classmethod
    def program_lines(cls, sizes: Sizes) -> str:
        """Return the lines that the scheme contributes to a shown program.

        They can use `n`, `d_model`, `n_heads`, `d_head` and `weights`, which has the scheme's parameters
        under `positions.`. By the injection point they change `x` (word, d_model), define `rotate(vectors)`
        for queries or keys (head, word, d_head), or fill `bias` (head, query, key).
        """
        return ""

    @classmethod
    def about_head(cls, head: int, sizes: Sizes) -> SchemeDescription:
        """Return `about`, with what is particular to `head`, counted from 0."""
        return cls.about

    @classmethod
    def outline(cls, sizes: Sizes) -> Self:
        """Return the scheme with parameters that have names and shapes, and no numbers."""
        with torch.device("meta"):
            return cls(sizes)

    @classmethod
    def n_parameters(cls, sizes: Sizes) -> int:
        """Return the number of trained parameters of the scheme."""
        return sum(parameter.numel() for parameter in cls.outline(sizes).parameters())

    def drawn(self, *shape: int) -> nn.Parameter:
        """Return a parameter of this shape at the scheme's initial standard deviation."""
        parameter = nn.Parameter(torch.empty(shape))
        if (
            not parameter.is_meta
        ):  # An outline has no numbers. If asked to draw them, torch loads its compiler.
            nn.init.normal_(parameter, std=self.initial_deviation)
        return parameter
