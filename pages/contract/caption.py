"""Captions of figures away from their page: the models that a picture shows, and notes on its marks."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass


def no_models() -> Sequence[str]:
    """Return the models of a picture that shows none."""
    return ()


@dataclass(frozen=True, kw_only=True)
class Caption:
    """What a file says below a picture besides its title, in plain characters.

    `models` returns a phrase for each model in the picture; None stands for the model that the switches
    describe. `notes` name what the title leaves out, a unit, or the meaning of a mark such as an error bar.
    A picture that is not of what is `chosen` depends neither on the typed sentence nor on the controls: its
    caption says nothing of them.
    """

    models: Callable[[], Sequence[str]] | None = None
    notes: tuple[str, ...] = ()
    chosen: bool = True
