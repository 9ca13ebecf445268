"""Glossary: every term of the field that the app uses, in one sentence, with a view that shows it."""

from pages.contract.view import Page
from pages.glossary.entries import glossary

PAGE = Page(question="What does this term mean?", views={"glossary": glossary})
