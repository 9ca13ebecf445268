"""Heads: what several of them see that one cannot, what they cost, and how they share one matrix.

The views stand in the order of the row of views.
"""

from pages.heads import how_many, reshape, two_things
from pages.shell import Page

PAGE = Page(
    question="Why several heads instead of one?",
    views={"two things": two_things.two_things, "how many": how_many.how_many, "reshape": reshape.reshape},
)
