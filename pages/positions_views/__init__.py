"""The views of the page on positions, in the order of the row of schemes.

A new view is a new file with a function of a Scene, and a line here.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pages.positions_views.alibi import alibi
from pages.positions_views.beyond import beyond
from pages.positions_views.five import all_five
from pages.positions_views.learned import learned
from pages.positions_views.rotary import rotary
from pages.positions_views.scene import Scene
from pages.positions_views.sinusoidal import sinusoidal

OF_THE_WEIGHTS = frozenset({"model", "seed", "mask", "heads", "layers", "norm"})


@dataclass(frozen=True)
class View:
    """A view, the switches it asks for, and defaults of its own; `one_model` unless it shows several."""

    show: Callable[[Scene], None]
    switches: frozenset[str] = frozenset()
    defaults: Mapping[str, Any] = field(default_factory=dict)
    one_model: bool = True


VIEWS: dict[str, View] = {
    "all five": View(all_five, OF_THE_WEIGHTS, one_model=False),
    "learned": View(learned, frozenset({"mask", "heads", "norm"}), {"positions": "learned"}),
    "sinusoidal": View(sinusoidal),
    "alibi": View(alibi, frozenset({"mask", "heads"}), {"positions": "alibi"}),
    "rotary": View(rotary, OF_THE_WEIGHTS, {"positions": "rotary"}),
    "beyond training": View(beyond, frozenset({"heads", "norm"})),
}
