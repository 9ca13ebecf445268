"""Lecture: prepared demonstrations in an order, with what to say and to ask at each of them."""

from pages.lecture.listing import lecture
from pages.shell import Page

PAGE = Page(
    question="What do you show in your lecture, and in which order?",
    views={"lecture": lecture},
)
