"""A table of sentences and links."""

from collections.abc import Sequence

import streamlit as st


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Rows of Markdown below a head; what somebody else has written in them is escaped already."""
    lines = [head, [":--" for _ in head], *rows]
    st.markdown("\n".join(f"| {' | '.join(line)} |" for line in lines))
