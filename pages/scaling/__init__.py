"""Scaling: why scores are divided by the root of their dimensions, and by which root in one of several heads.

The views stand in the order of the row of views.
"""

from pages.contract.view import Page
from pages.scaling import heads, long_vectors

PAGE = Page(
    question="Why are scores divided by √d?",
    views={"long vectors": long_vectors.long_vectors, "heads": heads.heads},
)
