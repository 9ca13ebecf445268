"""Footnotes where a source slips."""

from pages.syllabus.slips import SLIPS


def told_footnote(slip: str) -> str:
    """The footnote on a slip, as text."""
    noted = SLIPS[slip]
    says = "say" if "slides" in noted.place else "says"
    return f"{noted.place} {says}: {noted.says}. In truth {noted.truth}."
