"""The bidirectional mask, which hides nothing: every word sees every word."""

import torch

from core.model.masks.base import MASKED_WORD, Given, Mask
from core.model.masks.combining import Allowed, bidirectional


def _draw(n: int, *, given: Given, device: torch.device | None) -> Allowed:
    return bidirectional(n, n, device=device)


MASK = Mask(
    name="bidirectional",
    draw=_draw,
    objective=MASKED_WORD,
    says="every word sees every word",
    formula=r"0 \leq j < n",
    program="torch.ones(n, n).bool()",
)
