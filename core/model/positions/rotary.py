"""Rotary positions: queries and keys turned by an angle that grows with the position."""

from dataclasses import replace

import torch
from einops import rearrange
from jaxtyping import Float
from torch import Tensor

from core.model.positions.base import About, Heads, PositionScheme, Sizes
from core.model.positions.frequencies import LONGEST_WAVELENGTH, angles


class Rotary(PositionScheme):
    """Queries and keys turned by an angle that grows with the position; only differences remain."""

    about = About(
        title="rotary positions",
        name="rotary",
        in_brief="turns pairs",
        says="Each pair of dimensions of a query and a key turns by an angle that grows with the position: "
        "their score then depends on how far apart the two stand.",
        formula=r"R_p \ \text{turns pair } m \text{ by } p \cdot 10000^{-2m/d_{\text{head}}} \text{ radians},"
        r" \qquad (q R_i)\,(k R_j)^\top = q\,R_{i-j}\,k^\top",
        source="Beyond the sources: Su et al. 2021, eq 15 and 16",
    )

    def __init__(self, sizes: Sizes) -> None:
        super().__init__(sizes)
        self.base = sizes.rotary_base

    def rotate(self, q_or_k: Heads) -> Heads:
        return rotate_pairs(q_or_k, rotary_angles(*q_or_k.shape[2:], base=self.base))

    @classmethod
    def check(cls, sizes: Sizes) -> None:
        if sizes.d_head % 2:
            raise ValueError(
                f"rotary positions turn pairs, so d_head must be even, got d_model={sizes.d_model} "
                f"and n_heads={sizes.n_heads}, a d_head of {sizes.d_head}"
            )

    @classmethod
    def about_head(cls, head: int, sizes: Sizes) -> About:
        usual, own = _written(LONGEST_WAVELENGTH), _written(sizes.rotary_base)
        return replace(cls.about, formula=cls.about.formula.replace(usual, own))

    @classmethod
    def program_lines(cls, sizes: Sizes) -> str:
        base, said = _written(sizes.rotary_base, "_"), _written(sizes.rotary_base)
        return f'''
            def rotate(vectors):
                """Rotary positions: pair i of a vector at position p turns by p / {said}^(2i/d_head)."""
                exponents = torch.arange(0, d_head, 2).double() / d_head
                angles = torch.arange(n).double()[:, None] / {base}**exponents
                cos, sin = angles.cos().float(), angles.sin().float()
                first, second = vectors[..., 0::2], vectors[..., 1::2]
                return torch.stack([first * cos - second * sin, first * sin + second * cos], -1).flatten(-2)
        '''


def _written(base: float, between: str = "") -> str:
    """A base as formulas and programs write it, the latter with something between thousands."""
    return f"{base:{between}.0f}" if base.is_integer() else repr(base)


def rotary_angles(
    n_positions: int, d_head: int, *, base: float = LONGEST_WAVELENGTH
) -> Float[Tensor, "position pair"]:
    """p · base^(−2i/d_head), in radians: how far pair i turns at position p (Su et al. 2021, eq 15)."""
    return angles(n_positions, d_head, base=base)


def rotate_pairs(vectors: Heads, angles: Float[Tensor, "position pair"]) -> Heads:
    """Each pair of neighbouring dimensions (2i, 2i + 1) turned by its angle, anticlockwise."""
    # An angle of many turns needs all its digits; its sine and cosine fit the vectors' precision.
    first, second = vectors[..., 0::2], vectors[..., 1::2]
    cos, sin = angles.cos().to(vectors), angles.sin().to(vectors)
    turned = torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1)
    return rearrange(turned, "batch head position pair two -> batch head position (pair two)")
