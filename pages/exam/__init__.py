"""Exam: fourteen questions on the path, with all solutions at the end."""

from pages.contract.view import Page
from pages.exam.sitting import exam

PAGE = Page(question="What have you learned?", views={"exam": exam})
