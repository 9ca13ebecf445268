"""Gradients: how much a word that was read long ago still matters, and what becomes of the way back to it.

The views stand in the order of the row of views.
"""

from pages.gradients import clipping, distance, gates, jacobians
from pages.shell import Page

PAGE = Page(
    question="How much does a word from long ago still matter?",
    views={
        "distance": distance.VIEW,
        "gates": gates.VIEW,
        "clipping": clipping.VIEW,
        "Jacobians": jacobians.VIEW,
    },
)
