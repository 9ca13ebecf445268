"""Lecture: prepared demonstrations in an order, each with notes and questions for the hall."""

from pages.contract.view import Page
from pages.lecture.listing import lecture

PAGE = Page(question="Which lecture do you give?", views={"lecture": lecture})
