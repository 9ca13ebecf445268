"""What the views whose mask is painted have in common."""

from typing import Any

from pages.controls.sentence import TEA
from pages.controls.switches import NAMES

PAINTED: dict[str, Any] = {"sentence": TEA, "switches": NAMES - {"mask", "window"}, "own_mask": True}
"""Their models are those that learned under the causal mask."""
