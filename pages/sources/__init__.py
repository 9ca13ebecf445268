"""Sources: each concept, where it is taught and where it is in the app; and where the sources slip.

The views stand in the order of the row of views.
"""

from pages.shell import Page
from pages.sources.tables import VIEWS

PAGE = Page(
    question="Where does each idea come from, and where is it here?",
    views=VIEWS,
)
