"""Interaction distance: operations between two words, and how far networks really reach.

The views stand in the order of the row of views.
"""

from pages.interaction_distance import influence, measured_time, networks
from pages.interaction_distance.growth import OPERATIONS, PRICED
from pages.interaction_distance.trained import AGREED, RECALLED
from pages.shell import Page

PAGE = Page(
    question="How far must one word travel to reach another?",
    views={
        "networks": networks.VIEW,
        "operations": OPERATIONS,
        "price": PRICED,
        "measured time": measured_time.VIEW,
        "recall": RECALLED,
        "agreement": AGREED,
        "influence": influence.VIEW,
    },
)
