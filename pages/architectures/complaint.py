"""What is said where a sentence has no reference translation."""

from pages.contract.sheet import Notice
from pages.controls.prose import Typed


def no_translation(complaint: str) -> tuple[Notice, ...]:
    """Why the decoder is fed nothing but its start; nothing where there is no complaint."""
    if not complaint:
        return ()
    return (
        Notice(
            "This is no sentence of the small artificial English, so it has no reference translation: the "
            f"decoder is fed its start alone. The grammar says: {Typed(complaint):300}."
        ),
    )
