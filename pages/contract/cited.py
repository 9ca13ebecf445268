"""Footnotes where a source slips."""

from pages.contract.parameters import TABLE
from pages.contract.sheet import Text
from pages.syllabus.slips import SLIPS

SLIPS_FOLD = "slips"
"""The key of the folded list of all slips on the page Sources."""

ALL_SLIPS = f"/sources?{SLIPS_FOLD}{TABLE}=true"
"""The link that opens this list."""


def footnote(slip: str) -> Text:
    """What a source says wrongly, and what is true."""
    noted = SLIPS[slip]
    says = "say" if "slides" in noted.place else "says"
    return Text(f"{noted.place} {says}: {noted.says}. In truth {noted.truth}.", "footnote")
