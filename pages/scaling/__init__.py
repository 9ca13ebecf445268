"""Scaling: why scores are divided by the root of their dimensions, and by which where heads share them.

The views stand in the order of the row of views.
"""

from pages.controls.sentence import TEA
from pages.scaling.heads import heads
from pages.scaling.random_vectors import random_vectors
from pages.scaling.softmax import softmax
from pages.shell import Page, View

OF_HEADS = frozenset({"model", "seed", "positions", "mask", "heads", "norm"})
DRAWN = frozenset({"seed"})
"""The one control of views that draw random vectors."""

PAGE = Page(
    question="Why are scores divided by √d?",
    views={
        "random vectors": View(draw=random_vectors, sentence=TEA, switches=DRAWN),
        "softmax": View(draw=softmax, switches=DRAWN),
        "heads": View(draw=heads, sentence=TEA, switches=OF_HEADS, about="head", reads=True),
    },
    formerly="measure",
)
