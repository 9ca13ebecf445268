"""Sources: each concept, its places in the documents and in the app; and errors of the documents."""

from pages.contract.view import Page
from pages.sources.listing import sources

PAGE = Page(question="Where does each idea come from, and where is it here?", views={"sources": sources})
