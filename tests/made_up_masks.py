"""Three masks that nobody needs, to try what one costs: two for next words, one for masked words.

As a plugin of pytest (`-p tests.made_up_masks`) this file adds them before anything asks which masks there
are. Each is written as a mask of the app would be: an object with all that is its own, and a line.
"""

import torch

from core.model.masks import MASKED_WORD, MASKS, NEXT_WORD, Given, Mask
from core.model.masks.combining import Allowed, bidirectional, causal, prefix


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


def _recent(n: int, *, given: Given, device: torch.device | None) -> Allowed:
    return causal(n, n, device=device).triu(-2)


MADE_UP_RECENT = Mask(
    name="made-up-recent",
    draw=_recent,
    objective=NEXT_WORD,
    says="every word sees itself and the two before it",
    formula=r"i - 2 \leq j \leq i",
    program="torch.ones(n, n).bool().tril().triu(-2)",
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

MASKS |= {mask.name: mask for mask in (MADE_UP_TITLE, MADE_UP_RECENT, MADE_UP_PARITY)}
