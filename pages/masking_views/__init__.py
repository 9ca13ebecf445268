"""The views of the page Masking, by the name their switch and the link use."""

from collections.abc import Callable
from dataclasses import dataclass

from pages.controls.switches import NAMES
from pages.masking_views.future import future
from pages.masking_views.gradient import gradient
from pages.masking_views.paint import paint
from pages.masking_views.scene import Scene
from pages.masking_views.values import values

PAINTED = NAMES - {"mask", "window"}
"""The switches of views whose mask is painted; the models are those that learned under the causal one."""

TRAINED = frozenset({"positions", "heads", "norm"})
"""The switches that choose among the trained models."""


@dataclass(frozen=True)
class View:
    """A view draws itself by `show`, which returns what writes its program.

    It has these `switches`; it is `of_one_head` or of the whole model, and under the `painted` mask or
    under masks of its own.
    """

    show: Callable[[Scene], Callable[[], str]]
    switches: frozenset[str] = PAINTED
    of_one_head: bool = True
    painted: bool = True


VIEWS = {
    "paint": View(paint),
    "mask values": View(values),
    "gradient": View(gradient, of_one_head=False),
    "the future": View(future, switches=TRAINED, of_one_head=False, painted=False),
}
