"""What the views whose mask is painted have in common."""

from typing import Any

from pages.controls.examples import TEA
from pages.controls.switches import NAMES

PAINTED: dict[str, Any] = {"sentence": TEA, "switches": NAMES - {"mask", "window"}}
"""Settings of views under a painted mask: their models are those trained under the causal mask."""
