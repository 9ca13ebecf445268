"""Exam: fourteen questions on the path, whose answers are told at the end."""

from pages.contract.view import Page
from pages.exam.sitting import exam

PAGE = Page(question="What have you learned?", views={"exam": exam})
