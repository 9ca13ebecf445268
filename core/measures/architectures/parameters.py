"""How many parameters every part of a model has: counted on the model itself, each parameter once."""

import re
from collections.abc import Mapping

from torch import nn

PARTS: Mapping[str, str] = {
    "embeddings": r"(^|\.)embed\.|(^|\.)types\.",
    "positions": r"(^|\.)positions\.",
    "queries": r"attention\.query\.",
    "keys": r"attention\.key\.",
    "values": r"attention\.value\.",
    "attention output": r"attention\.output\.",
    "feed-forward": r"\.mlp\.",
    "norms": r"norm\.(gain|bias)$",
    "recurrence": r"(^|\.)layers\.\d+\.from_(input|hidden)\.",
    "combined": r"(^|\.)combine\.",
    "output": r"(^|\.)unembed\.|(^|\.)transform\.",
}
"""The parts in the order of a table, and what the names of their parameters have in them."""

Counts = Mapping[str, int]
"""Numbers of parameters by part; a part that a model does not have is missing."""


def counts(model: nn.Module, *, stack: str = "") -> Counts:
    """Return the parameters of a model by part, or of one of its stacks, such as `encoder`.

    A table that is embedding and output layer at once counts as embeddings.

    Raises:
        ValueError: A parameter belongs to none of the parts.
    """
    found: dict[str, int] = {}
    for name, parameter in model.named_parameters():
        if name.startswith(f"{stack}." if stack else ""):
            part = part_of(name)
            found[part] = found.get(part, 0) + parameter.numel()
    return found


def part_of(name: str) -> str:
    """Return the part that a parameter of this name belongs to."""
    for part, pattern in PARTS.items():
        if re.search(pattern, name):
            return part
    raise ValueError(f"no part has a place for the parameter {name}; there are: {', '.join(PARTS)}")
