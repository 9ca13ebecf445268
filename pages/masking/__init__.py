"""Masking: paint who may attend to whom, and see the weights, the numbers behind them and the gradients.

The views stand in the order of the row of views.
"""

from pages.masking import future, gradient, paint, values
from pages.shell import Page

PAGE = Page(
    question="What may a word attend to, and what does a mask change?",
    views={
        "paint": paint.VIEW,
        "mask values": values.VIEW,
        "gradient": gradient.VIEW,
        "the future": future.VIEW,
    },
    former_names={"width": "radius"},
)
