"""Lecture: prepared demonstrations in an order, with what to say and to ask at each of them."""

from pages.contract.view import Page
from pages.lecture.listing import lecture

PAGE = Page(
    question="Which lecture do you give?",
    views={"lecture": lecture},
)
