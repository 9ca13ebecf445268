"""Configuration of a Transformer: one frozen dataclass that checks itself."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self, get_args

import torch

from core.model.activations import ACTIVATIONS
from core.model.family_options import NORM_KINDS, FamilyOptions
from core.model.masks import MASKS, Given, Objective
from core.model.masks.combining import Allowed, window_if_any
from core.model.names import Names
from core.model.positions import SCHEMES

Positions = str
"""The name of a position scheme, a key of `core.model.positions.SCHEMES`."""

Norm = Literal["pre", "post", "none"]

POSITIONS: Sequence[Positions] = Names(SCHEMES)
NORMS: tuple[Norm, ...] = get_args(Norm)

_SWITCHES_OF_DETAILS = ("qk_norm", "gated", "embed_norm", "output_transform", "output_bias")


@dataclass(frozen=True, kw_only=True)
class ModelConfig(FamilyOptions):
    """The architecture of a Transformer; equal configurations build equal models.

    `d_mlp` is four times `d_model` unless given. `max_len` bounds position schemes that have a row for each
    position; other schemes have no limit. `scale` is the division of the scores by √d_head,
    `residual` the residual connections, `mlp` the feed-forward layers, and `bias` the additive biases of all
    linear maps inside the blocks; False leaves each out. With `tied`, the output layer compares states with
    the word vectors themselves (Vaswani et al. 2017, section 3.4). `FamilyOptions` has the fields in which
    pretrained models differ beyond these.

    Raises ValueError naming the field, what was expected and what was got.
    """

    vocab_size: int
    d_model: int = 64
    n_heads: int = 4
    n_layers: int = 2
    d_mlp: int | None = None
    max_len: int = 256
    positions: Positions = "sinusoidal"
    mask: str = "causal"
    norm: Norm = "pre"
    scale: bool = True
    residual: bool = True
    mlp: bool = True
    bias: bool = True
    tied: bool = False

    def __post_init__(self) -> None:
        _check_size("d_model", self.d_model)
        if self.d_mlp is None:
            object.__setattr__(self, "d_mlp", 4 * self.d_model)
        self._check_sizes()
        _check_choice("positions", self.positions, POSITIONS)
        _check_choice("mask", self.mask, MASKS)
        _check_choice("norm", self.norm, NORMS)
        self._check_switches()
        self._check_details()
        SCHEMES[self.positions].check(self)

    def _check_sizes(self) -> None:
        for name in ("vocab_size", "n_heads", "n_layers", "d_mlp", "max_len"):
            _check_size(name, getattr(self, name))
        for name in ("head_width", "n_kv_heads"):
            if getattr(self, name) is not None:
                _check_size(name, getattr(self, name))
        if self.head_width is None and self.d_model % self.n_heads:
            raise ValueError(f"d_model must be a multiple of n_heads, got {self.d_model} and {self.n_heads}")
        if self.n_heads % self.n_key_heads:
            raise ValueError(
                f"n_heads must be a multiple of n_kv_heads, got {self.n_heads} and {self.n_key_heads}"
            )

    def _check_details(self) -> None:
        _check_choice("activation", self.activation, tuple(ACTIVATIONS))
        _check_choice("norm_kind", self.norm_kind, NORM_KINDS)
        if not isinstance(self.n_types, int) or self.n_types < 0:
            raise ValueError(f"n_types must be a whole number of at least 0, got {self.n_types!r}")
        if self.window is not None and (not isinstance(self.window, int) or self.window < 0):
            raise ValueError(f"window must be a whole number of at least 0, got {self.window!r}")
        if self.slopes is not None and len(self.slopes) != self.n_heads:
            raise ValueError(f"slopes must be {self.n_heads}, one for each head, got {len(self.slopes)}")

    def _check_switches(self) -> None:
        for name in ("scale", "residual", "mlp", "bias", "tied", *_SWITCHES_OF_DETAILS):
            switch = getattr(self, name)
            if not isinstance(switch, bool):
                raise ValueError(f"{name} must be True or False, got {switch!r}")

    @classmethod
    def of_switches(cls, **fields: Any) -> Self:
        """Return the configuration that switches describe; vocabulary and widths are set later."""
        return cls(vocab_size=1, **fields)

    @property
    def d_head(self) -> int:
        """Width of one head: the model's width divided among the heads, unless given."""
        return self.head_width or self.d_model // self.n_heads

    @property
    def n_key_heads(self) -> int:
        """Number of keys and values of a word: one per head, unless heads share them."""
        return self.n_kv_heads or self.n_heads

    @property
    def objective(self) -> Objective:
        """The training objective of a language model with this mask."""
        return MASKS[self.mask].objective

    def allowed(self, n: int, *, given: Given | None = None, device: torch.device | None = None) -> Allowed:
        """Return the mask of self-attention over `n` words: the named mask, within the window if any."""
        named = MASKS[self.mask].allowed(n, given=given, device=device)
        within = window_if_any(n, width=self.window, device=device)
        return named if within is None else named & within

    @property
    def looks_ahead(self) -> bool:
        """Whether the mask lets some word attend to a later one."""
        return MASKS[self.mask].looks_ahead

    @property
    def knows_both_sides(self) -> bool:
        """Whether relative positions have parameters for keys after a query as well as before it."""
        return self.looks_ahead if self.two_sided is None else self.two_sided

    @property
    def word_scale(self) -> float:
        """Factor of the word vectors: √d_model for the small vectors of a tied table, 1 otherwise."""
        if self.embed_scale is not None:
            return self.embed_scale
        return self.d_model**0.5 if self.tied else 1.0

    @property
    def score_scale(self) -> float:
        """Factor of the dot products in the scores: 1/√d_head, or 1 if `scale` is off."""
        return self.d_head**-0.5 if self.scale else 1.0


@dataclass(frozen=True, kw_only=True)
class PairConfig:
    """An encoder and a decoder that attends to it. Raises ValueError if they do not fit together."""

    encoder: ModelConfig
    decoder: ModelConfig

    def __post_init__(self) -> None:
        if self.encoder.d_model != self.decoder.d_model:
            raise ValueError(
                "encoder and decoder must have the same d_model, "
                f"got {self.encoder.d_model} and {self.decoder.d_model}"
            )

    @property
    def vocab_size(self) -> int:
        """Number of words that the pair predicts: the size of the target vocabulary."""
        return self.decoder.vocab_size


def setting_label(setting: object) -> str:
    """Return the value of a field as a reader says it: on and off for True and False."""
    return ("on" if setting else "off") if isinstance(setting, bool) else str(setting)


def _check_size(name: str, size: object) -> None:
    if not isinstance(size, int) or isinstance(size, bool) or size < 1:
        raise ValueError(f"{name} must be a whole number of at least 1, got {size!r}")


def _check_choice(name: str, value: str, choices: Iterable[str]) -> None:
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}, got {value!r}")
