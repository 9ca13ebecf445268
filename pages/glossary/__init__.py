"""Glossary: every term of the field that the app uses, in one sentence, and the view that shows it."""

from pages.glossary.entries import glossary
from pages.shell import Page

PAGE = Page(question="What does this term mean?", views={"glossary": glossary})
