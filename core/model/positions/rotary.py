"""Rotary positions: queries and keys rotated by an angle that grows with the position."""

from dataclasses import replace
from functools import lru_cache

import torch
from einops import rearrange
from jaxtyping import Float
from torch import Tensor

from core.model.positions.base import Heads, PositionScheme, SchemeDescription, Sizes
from core.model.positions.frequencies import LONGEST_WAVELENGTH, RotaryScaling, angles

KEPT_TURNS = 16
"""Number of combinations of length, width and precision whose cosines and sines are cached."""


class Rotary(PositionScheme):
    """Queries and keys rotated by an angle that grows with the position; only differences remain."""

    about = SchemeDescription(
        title="rotary positions",
        name="rotary",
        in_brief="turns pairs",
        says="Each pair of dimensions of a query and a key turns by an angle that grows with the position. "
        "So the score depends only on the two vectors and on the distance between their words.",
        formula=r"R_i \ \text{turns pair } m \text{ by } i \cdot 10000^{-2m/d_{\text{head}}} \text{ radians},"
        r" \qquad (q R_i)\,(k R_j)^\top = q\,R_{i-j}\,k^\top",
        source="Su et al. 2021",
    )

    def __init__(self, sizes: Sizes) -> None:
        super().__init__(sizes)
        self.base, self.scaling = sizes.rotary_base, sizes.rotary_scaling

    def rotate(self, q_or_k: Heads) -> Heads:
        n_positions, d_head = q_or_k.shape[2:]
        return _turned(
            q_or_k, *_turns(n_positions, d_head, self.base, self.scaling, q_or_k.dtype, q_or_k.device)
        )

    @classmethod
    def check(cls, sizes: Sizes) -> None:
        if sizes.d_head % 2:
            raise ValueError(
                f"rotary positions turn pairs, so d_head must be even, got d_model={sizes.d_model} "
                f"and n_heads={sizes.n_heads}, a d_head of {sizes.d_head}"
            )

    @classmethod
    def about_head(cls, head: int, sizes: Sizes) -> SchemeDescription:
        usual, own = _written(LONGEST_WAVELENGTH), _written(sizes.rotary_base)
        about = replace(cls.about, formula=cls.about.formula.replace(usual, own))
        if (scaling := sizes.rotary_scaling) is None:
            return about
        which = "All angles are" if scaling.trained_length is None else "The angles of slow pairs are"
        return replace(about, says=f"{about.says} {which} divided by {scaling.factor:g}.")

    @classmethod
    def program_lines(cls, sizes: Sizes) -> str:
        base, said = _written(sizes.rotary_base, "_"), _written(sizes.rotary_base)
        return f'''
            def rotate(vectors):
                """Rotary positions: pair i of a vector at position p turns by p / {said}^(2i/d_head)."""
                exponents = torch.arange(0, d_head, 2).double() / d_head
                {_angles(base, sizes.rotary_scaling)}
                cos, sin = angles.cos().float(), angles.sin().float()
                first, second = vectors[..., 0::2], vectors[..., 1::2]
                return torch.stack([first * cos - second * sin, first * sin + second * cos], -1).flatten(-2)
        '''


def _angles(base: str, scaling: RotaryScaling | None) -> str:
    """Return the lines of a program that compute the angles; all but the first are indented."""
    if scaling is None:
        return f"angles = torch.arange(n).double()[:, None] / {base}**exponents"
    if scaling.trained_length is None:
        return f"angles = torch.arange(n).double()[:, None] / {base}**exponents / {scaling.factor!r}"
    width = scaling.fast_turns - scaling.slow_turns
    lines = (
        f"frequencies = {base}**-exponents",
        f"turns = {scaling.trained_length} * frequencies / (2 * torch.pi)",
        f"kept = ((turns - {scaling.slow_turns!r}) / {width!r}).clamp(0, 1)  # slower pairs are slowed",
        f"frequencies = frequencies * (kept + (1 - kept) / {scaling.factor!r})",
        "angles = torch.arange(n).double()[:, None] * frequencies",
    )
    return "\n                ".join(lines)


def _written(base: float, between: str = "") -> str:
    """Return a base as formulas and programs write it; `between` separates thousands."""
    return f"{base:{between}.0f}" if base.is_integer() else repr(base)


def rotary_angles(
    n_positions: int,
    d_head: int,
    *,
    base: float = LONGEST_WAVELENGTH,
    scaling: RotaryScaling | None = None,
) -> Float[Tensor, "position pair"]:
    """Return p · base^(−2i/d_head) in radians: the angle of pair i at position p (Su et al. 2021, eq 15)."""
    return angles(n_positions, d_head, base=base, scaling=scaling)


def rotate_pairs(vectors: Heads, angles: Float[Tensor, "position pair"]) -> Heads:
    """Rotate each pair of neighbouring dimensions (2i, 2i + 1) by its angle, anticlockwise."""
    # An angle of many turns needs all its digits; its sine and cosine fit the precision of the vectors.
    return _turned(vectors, angles.cos().to(vectors), angles.sin().to(vectors))


Turns = Float[Tensor, "position pair"]


@lru_cache(maxsize=KEPT_TURNS)
def _turns(
    n_positions: int,
    d_head: int,
    base: float,
    scaling: RotaryScaling | None,
    dtype: torch.dtype,
    device: torch.device,
) -> tuple[Turns, Turns]:
    """Return the cosines and sines of the angles, which all layers share."""
    with torch.inference_mode(False):  # Autograd refuses tensors that were made in inference mode.
        angles = rotary_angles(n_positions, d_head, base=base, scaling=scaling)
        return angles.cos().to(device, dtype), angles.sin().to(device, dtype)


def _turned(vectors: Heads, cos: Turns, sin: Turns) -> Heads:
    first, second = vectors[..., 0::2], vectors[..., 1::2]
    turned = torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1)
    return rearrange(turned, "batch head position pair two -> batch head position (pair two)")
