"""Lecture: prepared demonstrations in an order, with what to say and to ask at each of them."""

from pages.contract.view import Page
from pages.lecture.listing import lecture

PAGE = Page(
    question="What do you show in your lecture, and in which order?",
    views={"lecture": lecture},
)
