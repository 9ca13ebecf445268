"""Masking: paint who may attend to whom, and see the weights, the numbers behind them and the gradients.

The views stand in the order of the row of views.
"""

from functools import partial

from pages.masking import future, gradient, paint, values
from pages.shell import Page
from pages.shell.view import switched

PAGE = Page(
    choose=partial(switched, says_ablations=False),
    question="What may a word attend to, and what does a mask change?",
    views={
        "paint": paint.VIEW,
        "mask values": values.VIEW,
        "gradient": gradient.VIEW,
        "the future": future.VIEW,
    },
)
