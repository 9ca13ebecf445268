"""Sources: each concept, where it is taught and where it is in the app; and where the sources slip."""

from pages.contract.view import Page
from pages.sources.listing import sources

PAGE = Page(question="Where does each idea come from, and where is it here?", views={"sources": sources})
