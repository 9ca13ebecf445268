"""What is said where a sentence has no reference translation."""

from streamlit.delta_generator import DeltaGenerator

from pages.controls.prose import Typed


def say_no_translation(notes: DeltaGenerator, complaint: str) -> None:
    """Why the decoder is fed nothing but its start."""
    notes.info(
        "This is no sentence of the small language, so there is no reference translation: the decoder is fed "
        f"its start alone. The grammar says: {Typed(complaint):300}."
    )
