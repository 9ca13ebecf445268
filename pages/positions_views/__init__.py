"""The views of the page Positions, in the order of the row of views.

A new view is a new file with a function of a Scene, and a line here.
"""

from functools import partial

from pages.controls.sentence import OVEN
from pages.positions_views.alibi import alibi
from pages.positions_views.beyond import beyond
from pages.positions_views.five import all_five
from pages.positions_views.learned import learned
from pages.positions_views.rotary import rotary
from pages.positions_views.sinusoidal import sinusoidal
from pages.shell import Page, View

OF_THE_WEIGHTS = frozenset({"model", "seed", "mask", "heads", "layers", "norm"})

_of_sentence = partial(View, sentence=OVEN)

PAGE = Page(
    question="How does a Transformer know where a word stands?",
    views={
        "all schemes": _of_sentence(draw=all_five, switches=OF_THE_WEIGHTS, one_model=False),
        "learned": View(
            draw=learned, switches=frozenset({"mask", "heads", "norm"}), defaults={"positions": "learned"}
        ),
        "sinusoidal": _of_sentence(draw=sinusoidal),
        "alibi": _of_sentence(
            draw=alibi, switches=frozenset({"mask", "heads"}), defaults={"positions": "alibi"}
        ),
        "rotary": _of_sentence(draw=rotary, switches=OF_THE_WEIGHTS, defaults={"positions": "rotary"}),
        "length extrapolation": View(draw=beyond, switches=frozenset({"heads", "norm"})),
    },
    formerly="scheme",
    renamed={"all five": "all schemes", "beyond training": "length extrapolation"},
)
