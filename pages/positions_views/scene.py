"""What every view of the page on positions is given."""

from dataclasses import dataclass

from streamlit.delta_generator import DeltaGenerator

from pages.controls.switches import Architecture


@dataclass(frozen=True)
class Scene:
    """The sentence and the switches, and places on the page.

    `notes` is for sentences about the link and the input, `row` the room beside the schemes, and `unknown`
    that for words the model does not know.
    """

    words: tuple[str, ...]
    switches: Architecture
    notes: DeltaGenerator
    row: DeltaGenerator
    unknown: DeltaGenerator
