"""Two masks and three position schemes for tests, to see the cost of adding one.

As a plugin of pytest (`-p tests.made_up`) this file adds them before any list of them is read. Each is
written like one of the app, and added in a line.
"""

import torch
from einops import rearrange

from core.model.masks import MASKED_WORD, MASKS, NEXT_WORD, Given, Mask
from core.model.masks.combining import Allowed, bidirectional, prefix
from core.model.positions import SCHEMES, PositionScheme, SchemeDescription
from core.model.positions.base import Bias, Heads, Sizes, Vectors


def _title(n: int, *, given: Given, device: torch.device | None) -> Allowed:
    return prefix(n, n, length=given, device=device)


MADE_UP_TITLE = Mask(
    name="made-up-title",
    draw=_title,
    given=lambda n: (n + 2) // 3,
    objective=NEXT_WORD,
    says="every word sees the first third, and of the rest only what stands before it",
    formula=r"j \leq i \ \text{or}\ j < \lceil n / 3 \rceil",
    program="torch.ones(n, n).bool().tril() | (torch.arange(n) < (n + 2) // 3)",
)


def _parity(n: int, *, given: Given, device: torch.device | None) -> Allowed:
    every = torch.arange(n, device=device)
    return bidirectional(n, n, device=device) & ((every[:, None] - every) % 2 == 0)


MADE_UP_PARITY = Mask(
    name="made-up-parity",
    draw=_parity,
    objective=MASKED_WORD,
    says="every word sees every second word, itself among them",
    formula=r"i - j \ \text{even}",
    program="(torch.arange(n)[:, None] - torch.arange(n)) % 2 == 0",
)

MASKS |= {mask.name: mask for mask in (MADE_UP_TITLE, MADE_UP_PARITY)}


class MadeUpVectors(PositionScheme):
    """A learned direction, added once for each earlier word."""

    about = SchemeDescription(
        name="made-up vectors",
        title="made-up vectors",
        in_brief="+ p times a vector",
        says="One learned vector is added as often as there are words before.",
        formula=r"P_p = p\, u",
        source="Made up",
    )
    initial_deviation = 0.25

    def __init__(self, sizes: Sizes) -> None:
        super().__init__(sizes)
        self.direction = self.drawn(sizes.d_model)

    def embed(self, x: Vectors) -> Vectors:
        steps = torch.arange(x.shape[1], device=x.device)
        return x + steps[:, None] * self.direction

    @classmethod
    def program_lines(cls, sizes: Sizes) -> str:
        return 'x = x + torch.arange(n)[:, None] * weights["positions.direction"]'


class MadeUpRotation(PositionScheme):
    """Every pair turns by the same angle per word."""

    about = SchemeDescription(
        name="made-up rotation",
        title="made-up rotation",
        in_brief="turns all alike",
        says="All pairs turn by half a radian per word.",
        formula=r"R_p = R(p / 2)",
        source="Made up",
    )

    def rotate(self, q_or_k: Heads) -> Heads:
        steps = torch.arange(q_or_k.shape[2], dtype=torch.float64, device=q_or_k.device)
        angles = steps[:, None] / 2
        cos, sin = angles.cos().to(q_or_k), angles.sin().to(q_or_k)
        first, second = q_or_k[..., 0::2], q_or_k[..., 1::2]
        return torch.stack([first * cos - second * sin, first * sin + second * cos], -1).flatten(-2)

    @classmethod
    def check(cls, sizes: Sizes) -> None:
        if sizes.d_head % 2:
            raise ValueError(f"made-up rotations need an even d_head, got {sizes.d_head}")

    @classmethod
    def program_lines(cls, sizes: Sizes) -> str:
        return """
            def rotate(vectors):
                angles = torch.arange(n)[:, None] / 2
                first, second = vectors[..., 0::2], vectors[..., 1::2]
                cos, sin = angles.cos(), angles.sin()
                return torch.stack([first * cos - second * sin, first * sin + second * cos], -1).flatten(-2)
        """


class MadeUpBias(PositionScheme):
    """A learned number for each head and each side."""

    about = SchemeDescription(
        name="made-up bias",
        title="made-up bias",
        in_brief="+ left or right",
        says="Words to the left get one learned number, words to the right another.",
        formula=r"B_{ij} = t_{h,\,\operatorname{sign}(j - i)}",
        source="Made up",
    )
    initial_deviation = 2.0

    def __init__(self, sizes: Sizes) -> None:
        super().__init__(sizes)
        self.sides = self.drawn(3, sizes.n_heads)

    def bias(self, q: Heads, k: Heads) -> Bias:
        ahead = torch.arange(k.shape[2]) - torch.arange(q.shape[2])[:, None]
        return rearrange(self.sides[1 + ahead.sign().to(q.device)], "query key head -> head query key")

    @classmethod
    def program_lines(cls, sizes: Sizes) -> str:
        return """
            side = 1 + (torch.arange(n) - torch.arange(n)[:, None]).sign()
            bias = weights["positions.sides"][side].permute(2, 0, 1)
        """


SCHEMES |= {"made-up-vectors": MadeUpVectors, "made-up-rotation": MadeUpRotation, "made-up-bias": MadeUpBias}
