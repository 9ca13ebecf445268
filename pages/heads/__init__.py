"""Heads: how several of them outdo one, their cost, and how they share one matrix."""

from pages.contract.view import Page
from pages.heads import how_many, reshape, two_things

PAGE = Page(
    question="Why several heads instead of one?",
    views={"two things": two_things.two_things, "how many": how_many.how_many, "reshape": reshape.reshape},
)
