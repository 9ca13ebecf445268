"""ALiBi: attention with a linear bias, whose slope differs from head to head."""

from dataclasses import replace

import torch
from jaxtyping import Float
from torch import Tensor

from core.model.positions.base import Bias, Heads, PositionScheme, SchemeDescription, Sizes

_BIAS = r"B_{ij} = -m_h\,|i - j|"


class Alibi(PositionScheme):
    """Scores that fall linearly with distance, with one slope for each head."""

    about = SchemeDescription(
        title="ALiBi",
        name="ALiBi",
        in_brief="− slope · distance",
        says="Every head has a slope m, which is not learned. Each word of distance between query and key "
        "takes m off the score.",
        formula=_BIAS + r", \qquad m_h = 2^{-8h/k}",
        source="Press et al. 2022, with a slope per head",
    )

    def __init__(self, sizes: Sizes) -> None:
        super().__init__(sizes)
        self.slopes = sizes.slopes

    def bias(self, q: Heads, k: Heads) -> Bias:
        slopes = alibi_slopes(q.shape[1]) if self.slopes is None else torch.tensor(self.slopes)
        return linear_bias(q.shape[2], k.shape[2], slopes=slopes).to(q)

    @classmethod
    def program_lines(cls, sizes: Sizes) -> str:
        slopes = "2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)"
        if sizes.slopes is not None:
            slopes = f"torch.tensor({list(sizes.slopes)})"
        return f"""
            # ALiBi: scores fall with distance, at a slope of its own for each head.
            slopes = {slopes}
            bias = -slopes[:, None, None] * (torch.arange(n)[:, None] - torch.arange(n)).abs()
        """

    @classmethod
    def about_head(cls, head: int, sizes: Sizes) -> SchemeDescription:
        slope = slopes_of(sizes)[head]
        shown = f"1/{round(1 / slope)}" if (1 / slope).is_integer() else f"{slope:.3g}"
        about = replace(cls.about, says=f"{cls.about.says} In head {head + 1} m is {shown}.")
        return about if sizes.slopes is None else replace(about, formula=_BIAS)


def slopes_of(sizes: Sizes) -> tuple[float, ...]:
    """Return the slope of each head: from the configuration, or the geometric sequence."""
    return sizes.slopes or tuple(alibi_slopes(sizes.n_heads).tolist())


def alibi_slopes(n_heads: int) -> Float[Tensor, "head"]:
    """Return 2^(−8h/H) for head h = 1 … H (Press et al. 2022)."""
    return 2.0 ** (-8.0 * torch.arange(1, n_heads + 1, dtype=torch.float64) / n_heads)


def linear_bias(n_queries: int, n_keys: int, *, slopes: Float[Tensor, "head"]) -> Bias:
    """Return −slope · |i − j|: nearer words get more.

    With a slope of 1 this is the bias of CS 224N note eq 13, whose last entry should read −(n − 1 − i)
    when positions count from 0. Under a causal mask it is ALiBi as published.
    """
    distance = torch.arange(n_queries)[:, None] - torch.arange(n_keys)
    return -slopes[:, None, None] * distance.abs()
