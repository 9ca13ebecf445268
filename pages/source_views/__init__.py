"""The views of the page Sources, in the order of the row of views."""

from pages.shell import Page, View
from pages.source_views.tables import concepts, documents, slips

PAGE = Page(
    question="Where does each idea come from, and where is it here?",
    views={
        "concepts": View(draw=concepts),
        "slips": View(draw=slips),
        "documents": View(draw=documents),
    },
)
