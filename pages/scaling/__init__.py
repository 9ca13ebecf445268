"""Scaling: why scores are divided by the root of their dimensions, in one head and in one of several."""

from pages.contract.view import Page
from pages.scaling import heads, long_vectors

PAGE = Page(
    question="Why are scores divided by √d?",
    views={"long vectors": long_vectors.long_vectors, "heads": heads.heads},
)
