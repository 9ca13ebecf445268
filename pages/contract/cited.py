"""Footnotes where a source slips."""

from pages.syllabus.slips import SLIPS

SLIPS_FOLD = "slips"
"""The key of the folded list of all slips on the page Sources."""

ALL_SLIPS = f"/sources?{SLIPS_FOLD}_table=true"
"""The link that opens this list."""


def told_footnote(slip: str) -> str:
    """The footnote on a slip, as text."""
    noted = SLIPS[slip]
    says = "say" if "slides" in noted.place else "says"
    return f"{noted.place} {says}: {noted.says}. In truth {noted.truth}."
