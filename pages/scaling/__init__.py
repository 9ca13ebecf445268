"""Scaling: why scores are divided by the root of their dimensions, and by which where heads share them.

The views stand in the order of the row of views.
"""

from pages.scaling import heads, random_vectors, softmax
from pages.shell import Page

PAGE = Page(
    question="Why are scores divided by √d?",
    views={"random vectors": random_vectors.VIEW, "softmax": softmax.VIEW, "heads": heads.VIEW},
)
