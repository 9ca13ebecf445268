"""Captions of figures away from their page: the models that a picture shows, and notes on its marks."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass


def no_models() -> Sequence[str]:
    """Return the models of a picture that shows none."""
    return ()


@dataclass(frozen=True, kw_only=True)
class Caption:
    """Text below a picture in a saved file, besides its title, in plain characters.

    `models` returns a phrase for each model in the picture; None stands for the model that the switches
    describe. `notes` state what the title leaves out: a unit, or the meaning of a mark such as an error bar.
    A picture that does not depend on what is `chosen` has a caption without the sentence and the controls.
    """

    models: Callable[[], Sequence[str]] | None = None
    notes: tuple[str, ...] = ()
    chosen: bool = True
