"""Step by step: one head from words to output, a matrix at a time.

The views stand in the order of the row of views.
"""

from pages.shell import Page
from pages.step_by_step import bare, lookup, one_head, symmetric
from pages.step_by_step.model import choose_model

PAGE = Page(
    question="How does one head turn words into output?",
    views={
        "one head": one_head.VIEW,
        "soft lookup": lookup.VIEW,
        "without parameters": bare.VIEW,
        "Q = K": symmetric.VIEW,
    },
    choose=choose_model,
)
