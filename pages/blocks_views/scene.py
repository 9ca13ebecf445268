"""What every view of the page Blocks is given, and what a view is."""

from collections.abc import Callable
from dataclasses import dataclass

from streamlit.delta_generator import DeltaGenerator

from pages.controls.switches import Architecture


@dataclass(frozen=True)
class Scene:
    """The sentence, the switches, and three places: for notes, for the view's controls, for unknown words."""

    words: tuple[str, ...]
    switches: Architecture
    notes: DeltaGenerator
    row: DeltaGenerator
    unknown: DeltaGenerator


@dataclass(frozen=True)
class View:
    """How a view is drawn, and the switches that matter to it."""

    draw: Callable[[Scene], None]
    switches: frozenset[str]
