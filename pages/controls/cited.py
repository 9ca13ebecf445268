"""Formulas with the place they come from, and footnotes where a source slips."""

import streamlit as st

from pages.syllabus.slips import SLIPS

SLIPS_FOLD = "slips"
"""The key of the folded list of all slips on the page Sources."""

ALL_SLIPS = f"/sources?{SLIPS_FOLD}_table=true"
"""The link that opens this list."""


def equation(latex: str, source: str) -> None:
    """A formula, and under it where it stands, such as `CS 224N note, eq 8`."""
    st.latex(latex)
    st.caption(source)


def footnote(slip: str) -> None:
    """What a source says at the place a page is about, and what is true: one of SLIPS by its name."""
    st.caption(f"{told_footnote(slip)} [All slips]({ALL_SLIPS})")


def told_footnote(slip: str) -> str:
    """The footnote on a slip, as text."""
    noted = SLIPS[slip]
    says = "say" if "slides" in noted.place else "says"
    return f"{noted.place} {says}: {noted.says}. In truth {noted.truth}."
