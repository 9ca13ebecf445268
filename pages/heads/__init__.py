"""Heads: what several of them see that one cannot, what they cost, and how they share one matrix.

The views stand in the order of the row of views.
"""

from pages.heads import one_and_many, rank, reshape, three_kinds, two_things
from pages.shell import Page

PAGE = Page(
    question="Why several heads instead of one?",
    views={
        "two things": two_things.VIEW,
        "one and many": one_and_many.VIEW,
        "three kinds": three_kinds.VIEW,
        "reshape": reshape.VIEW,
        "rank": rank.VIEW,
    },
)
