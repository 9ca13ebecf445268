"""Values that stand for "may not attend" in a row of scores, and the softmax of each."""

from collections.abc import Callable

import torch
from torch import Tensor

from core.programs.forward import allowed, head, n, scores

query = 2


def adding(constant: float) -> Callable[[Tensor, Tensor], Tensor]:
    """Return a method that adds a constant to the scores of masked keys."""

    def masked(scores: Tensor, allowed: Tensor) -> Tensor:
        return (scores + torch.where(allowed, 0.0, constant).to(scores.dtype)).softmax(-1)

    return masked


methods: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "-inf added": adding(-torch.inf),
    "-1e5 added": adding(-1e5),
    "score = -1e4": lambda scores, allowed: scores.masked_fill(~allowed, -1e4).softmax(-1),
    "score = 0": lambda scores, allowed: scores.masked_fill(~allowed, 0).softmax(-1),
    "weight = 0": lambda scores, allowed: scores.softmax(-1).masked_fill(~allowed, 0),
    "this app": lambda scores, allowed: scores.masked_fill(~allowed, -torch.inf).softmax(-1).nan_to_num(),
}
row, seen = scores[head, query], allowed[query]
rows = {
    "as they are": (row, seen),
    "every key masked": (row, torch.zeros(n).bool()),
    "all scores lowered": (row - 2e4, seen),
}
print("row | method | format | on masked keys | row sum")
for name, (own, keys) in rows.items():
    for method, masked in methods.items():
        for form in (torch.float32, torch.float16):
            shares = masked(own.to(form), keys).float()
            sums = shares[~keys].sum().item(), shares.sum().item()
            print(name, method, form, *(f"{one:.3f}" for one in sums), sep=" | ")
