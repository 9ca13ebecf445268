"""What is said where a sentence has no reference translation."""

from streamlit.delta_generator import DeltaGenerator

from pages.controls.prose import Typed


def say_no_translation(notes: DeltaGenerator, complaint: str) -> None:
    """Why the decoder is fed nothing but its start."""
    notes.info(
        "This is no sentence of the small artificial English, so it has no reference translation: the "
        f"decoder is fed its start alone. The grammar says: {Typed(complaint):300}."
    )
