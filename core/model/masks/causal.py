"""The causal mask: no word sees the future."""

import torch

from core.model.masks.base import NEXT_WORD, Given, Mask
from core.model.masks.combining import Allowed, causal


def _draw(n: int, *, given: Given, device: torch.device | None) -> Allowed:
    return causal(n, n, device=device)


MASK = Mask(
    name="causal",
    draw=_draw,
    objective=NEXT_WORD,
    says="no word sees the future",
    formula=r"j \leq i",
    program="torch.ones(n, n).bool().tril()",
)
