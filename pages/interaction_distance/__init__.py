"""Interaction distance: operations between two words, and how far networks really reach.

The views stand in the order of the row of views.
"""

from functools import partial

from pages.controls.sentence import CHEF, TEA
from pages.interaction_distance.charts import measured_time, operations, price
from pages.interaction_distance.influence import influence
from pages.interaction_distance.networks import networks
from pages.interaction_distance.trained import agreement, recall
from pages.shell import Page, View

COUNTED = frozenset({"mask", "layers"})
"""The switches of the two networks whose operations are counted."""

OF_THE_MODEL = frozenset({"positions", "heads", "norm"})
"""Switches of the Transformer that is measured; it is causal, for so are the others."""

_counted = partial(View, switches=COUNTED, defaults={"layers": 1, "mask": "bidirectional"})

PAGE = Page(
    question="How far must one word travel to reach another?",
    views={
        "networks": _counted(draw=networks, sentence=TEA),
        "operations": View(draw=operations, sentence=TEA),
        "price": _counted(draw=price, sentence=TEA, switches=frozenset({"layers"})),
        "measured time": View(draw=measured_time, sentence=TEA),
        "recall": View(draw=recall),
        "agreement": View(draw=agreement, switches=OF_THE_MODEL),
        "influence": View(
            # A long sentence: over a short one the three networks hardly differ.
            draw=influence,
            sentence=CHEF,
            switches=OF_THE_MODEL | {"model", "seed"},
            one_model=False,
        ),
    },
    formerly="chart",
)
