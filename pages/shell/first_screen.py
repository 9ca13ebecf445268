"""The first screen of a stop: the few switches that its view needs; the others are one click away."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from pages.contract.items import Action, Control, Hub, InlineLabel, Item, LoadButton, StepButtons
from pages.shell.items import draw_items

MORE = "More switches"

MORE_KEY = "more_switches"
"""Key of this fold, and prefix of the key of a fold in a part that is rerun alone."""

NO_SWITCHES = "All switches of this view stand above its picture."
"""A line for an empty sidebar: all views of a stop have a sidebar, so that all are equally wide."""


@dataclass
class FirstScreen:
    """The controls of a view that stay in place: those of these `switches`, or all if it is None.

    The others are `moved` to a fold, which is drawn in `place`. If none is moved, and the place has nothing
    else (`has_kept`), a line says where all switches are.
    """

    switches: frozenset[str] | None = None
    place: Callable[[], AbstractContextManager[Any]] = nullcontext
    key: str = MORE_KEY
    has_kept: bool = True
    moved: list[Item] = field(default_factory=list)

    @property
    def is_short(self) -> bool:
        """Return whether some controls are moved."""
        return self.switches is not None

    def keep(self, items: Sequence[Item]) -> Sequence[Item]:
        """Return the items of one spot that stay in their place; the others are moved."""
        if self.switches is None:
            return items
        kept = list(kept_of(items, self.switches))
        self.moved += [item for item in items if not any(item is one for one in kept)]
        return kept

    def draw_moved(self) -> None:
        """Draw the moved controls in a fold, closed at first."""
        if self.is_short and not self.moved and not self.has_kept:
            with self.place():
                st.caption(NO_SWITCHES)
        if not self.moved:
            return
        with self.place(), st.expander(MORE, type="compact", key=self.key):
            draw_items(self.moved)


def kept_of(items: Sequence[Item], switches: Iterable[str]) -> Iterator[Item]:
    """Yield the items of a spot that a first screen keeps, if it has the controls of these `switches`.

    A name goes with the control after it, and the buttons of a walk with the control of its number. If a spot
    loses all its controls, its other items go too, except those that start something.
    """
    wanted = set(switches)
    asked = [item for item in items if isinstance(item, Control)]
    has_none = bool(asked) and not any(item.parameter.name in wanted for item in asked)
    for at, item in enumerate(items):
        match item:
            case Control(parameter=parameter):
                stays = parameter.name in wanted
            case Action() | LoadButton():
                stays = True
            case Hub():
                stays = False
            case StepButtons(name=name):
                stays = name in wanted
            case InlineLabel():
                after = (one.parameter.name for one in items[at:] if isinstance(one, Control))
                stays = next(after, "") in wanted
            case _:
                stays = not has_none
        if stays:
            yield item
