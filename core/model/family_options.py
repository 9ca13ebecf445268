"""Differences between families of pretrained Transformers, beyond the app's switches."""

from dataclasses import dataclass
from typing import get_args

from core.model.norm import EPSILON, NormKind
from core.model.positions.frequencies import LONGEST_WAVELENGTH, RotaryScaling

NORM_KINDS: tuple[NormKind, ...] = get_args(NormKind)


@dataclass(frozen=True, kw_only=True)
class FamilyOptions:
    """Parts of an architecture that no switch of the app changes; the defaults are our models'.

    Attention: a head is `head_width` wide (its share of `d_model` unless given), and the heads share
    `n_kv_heads` keys and values in equal groups (each head has its own unless given; Ainslie et al. 2023).
    With `qk_norm` each head normalises its queries and keys (Henry et al. 2020). With a `window` a query sees
    only keys at most that many positions away, as far as the mask allows (Beltagy et al. 2020).

    Positions: `slopes` are ALiBi's, one for each head, if they differ from 2^(−8h/H). `rotary_base` is the
    base of the wavelengths of rotary positions, and `rotary_scaling` slows their rotations down. `two_sided`
    says whether relative positions have learned both sides of a word; by default they have if the mask
    lets words see later ones.

    Feed-forward layer: its `activation`, one of `core.model.activations.ACTIVATIONS`; when `gated`, the
    activation of one linear map is multiplied by another (Shazeer 2020).

    Normalisation: its kind (`layer`, or `rms`, which subtracts no mean and adds no bias), and the `epsilon`
    added to the variance. With `embed_norm` the input of the first block is normalised too.

    Words: `embed_scale` multiplies the word vectors (√d_model when `tied`, otherwise 1, unless given).
    `n_types` vectors mark segments of the input. An `output_transform`, a linear map with activation and
    norm, may precede the output layer, and an `output_bias` for each word may follow it.
    """

    head_width: int | None = None
    n_kv_heads: int | None = None
    qk_norm: bool = False
    window: int | None = None
    slopes: tuple[float, ...] | None = None
    rotary_base: float = LONGEST_WAVELENGTH
    rotary_scaling: RotaryScaling | None = None
    two_sided: bool | None = None
    activation: str = "relu"
    gated: bool = False
    norm_kind: NormKind = "layer"
    epsilon: float = EPSILON
    embed_norm: bool = False
    embed_scale: float | None = None
    n_types: int = 0
    output_transform: bool = False
    output_bias: bool = False
