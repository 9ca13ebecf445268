"""Sources: each concept, where it is taught and where it is in the app; and where the sources slip.

The views stand in the order of the row of views.
"""

from pages.shell import Page, View
from pages.sources.tables import concepts, documents, slips

PAGE = Page(
    question="Where does each idea come from, and where is it here?",
    views={
        "concepts": View(draw=concepts),
        "slips": View(draw=slips),
        "documents": View(draw=documents),
    },
)
