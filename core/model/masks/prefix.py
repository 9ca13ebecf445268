"""The mask of a prefix language model (Raffel et al. 2020, 3.2.1): all words see the given words."""

import torch

from core.model.masks.base import NEXT_WORD, Given, Mask
from core.model.masks.combining import Allowed, prefix


def _draw(n: int, *, given: Given, device: torch.device | None) -> Allowed:
    return prefix(n, n, length=given, device=device)


MASK = Mask(
    name="prefix",
    draw=_draw,
    given=lambda n: n // 2,
    objective=NEXT_WORD,
    says="every word sees the first half of the sentence; in the second half, no word sees the future",
    formula=r"j \leq i \ \text{or}\ j < \lfloor n / 2 \rfloor",
    program="torch.ones(n, n).bool().tril() | (torch.arange(n) < n // 2)",
)
