"""Masking: paint who may attend to whom, and see the weights, the gradients and the numbers behind them."""

from functools import partial

from pages.contract.switches import architecture
from pages.contract.view import Page
from pages.masking import future, paint, values

PAGE = Page(
    choose=partial(architecture, says_ablations=False),
    question="What may a word attend to, and what does a mask change?",
    views={
        "paint": paint.paint,
        "mask values": values.values,
        "the future": future.future,
    },
)
