"""Masking: paint who may attend to whom, and see the weights, the numbers behind them and the gradients.

The views stand in the order of the row of views.
"""

from functools import partial

from pages.controls.sentence import TEA
from pages.controls.switches import NAMES
from pages.masking.future import future
from pages.masking.gradient import gradient
from pages.masking.paint import paint
from pages.masking.values import values
from pages.shell import Page, View

PAINTED = NAMES - {"mask", "window"}
"""The switches of views whose mask is painted; the models are those that learned under the causal one."""

_painted = partial(View, sentence=TEA, switches=PAINTED, own_mask=True)

PAGE = Page(
    question="What may a word attend to, and what does a mask change?",
    views={
        "paint": _painted(draw=paint, about="head", real=True),
        "mask values": _painted(draw=values, about="head", real=True),
        "gradient": _painted(draw=gradient),
        "the future": View(
            draw=future, sentence=TEA, switches=frozenset({"positions", "heads", "norm"}), reads=True
        ),
    },
    former_names={"width": "radius"},
)
